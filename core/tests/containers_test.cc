// SmallVector and NameMap do what std::vector and std::unordered_map do, over long runs of random
// changes.  Prints what differs (tests/base/test_containers.py builds and runs it).
#include <cstdio>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/name_map.h"
#include "base/small_vector.h"

namespace ge {
namespace {

int faults = 0;

void Check(bool right, const char* what, int step) {
  if (right || ++faults > 10) return;
  std::printf("step %d: %s\n", step, what);
}

using Short = SmallVector<int64_t, 3>;

void TestVectors(std::mt19937& random) {
  Short lists[2];
  std::vector<int64_t> expected[2];
  for (int step = 0; step < 100'000; ++step) {
    const size_t which = random() % 2, other = 1 - which;
    Short& list = lists[which];
    std::vector<int64_t>& wanted = expected[which];
    switch (random() % 8) {
      case 0:
      case 1:
        list.push_back(step);
        wanted.push_back(step);
        break;
      case 2:
        if (wanted.empty()) break;
        list.push_back(list[0]);  // an element of the list itself
        wanted.push_back(int64_t{wanted[0]});
        break;
      case 3:
        if (wanted.empty()) break;
        list.pop_back();
        wanted.pop_back();
        break;
      case 4: {
        const size_t size = random() % 8;
        list.resize(size, step);
        wanted.resize(size, step);
        break;
      }
      case 5:
        list = lists[other];
        wanted = expected[other];
        break;
      case 6:
        list = std::move(lists[other]);
        wanted = std::move(expected[other]);
        lists[other] = Short();
        expected[other].clear();
        break;
      default: {
        const Short copy(list);
        const Short whole(wanted);
        Check(copy == whole, "a copy differs", step);
        Short moved(std::move(list));
        Check(moved == whole && list.empty(), "a moved list differs", step);
        list = std::move(moved);
      }
    }
    Check(std::equal(list.begin(), list.end(), wanted.begin(), wanted.end()), "elements", step);
    Check((lists[0] == lists[1]) == (expected[0] == expected[1]), "comparison", step);
    Check(list.empty() || list.back() == wanted.back(), "the last element", step);
  }
}

void TestNames(std::mt19937& random) {
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) names.push_back("node/" + std::to_string(i * 7));
  NameMap<int> map;
  std::unordered_map<std::string, int> expected;
  // Grows, shrinks to nothing and grows again.
  for (int step = 0; step < 60'000; ++step) {
    const std::string& name = names[random() % names.size()];
    const bool shrinks = step / 20'000 == 1;
    if (random() % 4 < (shrinks ? 3u : 1u)) {
      map.Erase(name);
      expected.erase(name);
    } else {
      Check(map.Insert(name, step) == expected.emplace(name, step).second, "insertion", step);
    }
    const std::string& asked = names[random() % names.size()];
    const int* found = map.Find(asked);
    const auto wanted = expected.find(asked);
    Check((found != nullptr) == (wanted != expected.end()), "presence", step);
    Check(found == nullptr || *found == wanted->second, "value", step);
  }
  for (const std::string& name : names) {
    Check(map.Contains(name) == expected.contains(name), "presence at the end", 0);
    map.Erase(name);
    Check(!map.Contains(name), "erased", 0);
  }
}

}  // namespace
}  // namespace ge

int main() {
  std::mt19937 random(1);
  ge::TestVectors(random);
  ge::TestNames(random);
  return ge::faults != 0;
}
