#include "aclop/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

namespace ge::aclop {
namespace {

constexpr ElfW(Word) kNoteAlign = 4;

size_t Aligned(ElfW(Word) size) {
  return (size + kNoteAlign - 1) / kNoteAlign * kNoteAlign;
}

// The id among the notes of one segment; empty when there is none.
std::string_view IdIn(const char* notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof(header));
    const size_t name_end = sizeof(header) + Aligned(header.n_namesz);
    const size_t end = name_end + Aligned(header.n_descsz);
    if (end > size) break;
    if (header.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + sizeof(header), header.n_namesz) == std::string_view("GNU", 4)) {
      return {notes + name_end, header.n_descsz};
    }
    notes += end;
    size -= end;
  }
  return {};
}

// Looks at the loaded file that this function is in.
int FindId(dl_phdr_info* info, size_t /*size*/, void* found) {
  const auto own = reinterpret_cast<ElfW(Addr)>(&FindId);
  bool holds_own = false;
  std::string_view id;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const ElfW(Addr) begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) holds_own |= own >= begin && own - begin < header.p_memsz;
    if (header.p_type != PT_NOTE || !id.empty()) continue;
    id = IdIn(reinterpret_cast<const char*>(begin), header.p_memsz);
  }
  if (!holds_own) return 0;
  *static_cast<std::string_view*>(found) = id;
  return 1;
}

}  // namespace

std::string_view BuildId() {
  static const std::string_view id = [] {
    std::string_view found;
    dl_iterate_phdr(FindId, &found);
    return found;
  }();
  return id;
}

}  // namespace ge::aclop
