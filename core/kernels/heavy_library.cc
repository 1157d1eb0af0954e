#include "kernels/heavy_library.h"

#include <dlfcn.h>

namespace ge {
namespace {

struct Library {
  bool loaded = false;
  HeavyTable table = {};
  std::string note;
};

// The folder of the file that this code is in, with a slash at the end.
std::string OwnFolder() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr) {
    return "";
  }
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

Library Load() {
  const std::string path = OwnFolder() + "libge_dnnl.so";
  const auto without = [&](const std::string& reason) {
    Library library;
    library.note = "convolutions and matrix products run without oneDNN: " + reason;
    return library;
  };
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    return without(reason != nullptr ? reason : path);
  }
  // Stays open: its threads and its code are in use from now on.
  const auto fill =
      reinterpret_cast<decltype(&ge_dnnl_register)>(dlsym(handle, "ge_dnnl_register"));
  Library library;
  if (fill == nullptr || !fill(&library.table)) {
    return without(path + " belongs to another version");
  }
  library.loaded = true;
  library.note = "convolutions and matrix products run by " + std::string(library.table.name);
  SetRunPieces(library.table.run_pieces);
  return library;
}

const Library& TheLibrary() {
  static const Library library = Load();
  return library;
}

}  // namespace

const HeavyTable* HeavyLibrary() {
  return TheLibrary().loaded ? &TheLibrary().table : nullptr;
}

const std::string& HeavyLibraryNote() {
  return TheLibrary().note;
}

}  // namespace ge
