// The native atc and Python: no header and no library of Python is needed to build this.
#include "atc/embedded_python.h"

#include <dlfcn.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "api/hooks.h"

namespace ge {
namespace {

// Of the stable ABI that the package is built for.
constexpr int kLeastMajor = 3, kLeastMinor = 11;

// Prints version, path of the interpreter, and what its libpython may be called, best first.
constexpr const char* kProbe =
    "import os,sys,sysconfig as c;"
    "v='%d.%d'%sys.version_info[:2];"
    "print(v);print(sys.executable);"
    "d=[sys.prefix+'/lib',sys.exec_prefix+'/lib',os.path.dirname(sys.executable)+'/../lib',"
    "c.get_config_var('LIBDIR') or ''];"
    "n=[c.get_config_var(k) or '' for k in ('LDLIBRARY','INSTSONAME','LIBRARY')]"
    "+['libpython%s.so.1.0'%v,'libpython%s.so'%v];"
    "n=[x for x in n if '.so' in x];"
    "f=[os.path.join(p,x) for x in n for p in d if os.path.exists(os.path.join(p,x))];"
    "print('\\n'.join(f or n[:1]))";

// %s: the folder of the package, which must be that of this program.
constexpr const char* kImport = R"(
ge_failure = ''
try:
    import importlib.util, sys
    if not hasattr(sys, 'argv') or not sys.argv: sys.argv = ['']
    spec = importlib.util.spec_from_file_location(
        'ge', '%s/__init__.py', submodule_search_locations=['%s'])
    module = importlib.util.module_from_spec(spec)
    sys.modules['ge'] = module
    spec.loader.exec_module(module)
    import ge._hooks
except BaseException as error:
    ge_failure = f'{type(error).__name__}: {error} (interpreter: {sys.executable})'
)";

struct PythonApi {
  int (*is_initialized)();
  void (*initialize)(int signals);
  int (*finalize)();
  void* (*save_thread)();
  void (*restore_thread)(void*);
  int (*run)(const char* code);
  void* (*add_module)(const char* name);
  void* (*attribute)(void* object, const char* name);
  const char* (*text)(void* object, ptrdiff_t* size);
  wchar_t* (*decode)(const char* text, size_t* size);
  void (*set_program_name)(const wchar_t* name);  // may be null: gone from later versions
};

// An interpreter is one per process.
PythonApi g_python = {};
void* g_thread = nullptr;

struct Interpreter {
  int major = 0, minor = 0;
  std::string path;
  std::vector<std::string> libraries;
};

bool Probe(const char* command, Interpreter* found) {
  const std::string line = std::string(command) + " -c \"" + kProbe + "\" 2>/dev/null";
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return false;
  std::string output;
  std::array<char, 4096> buffer;
  for (size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  if (::pclose(pipe) != 0) return false;
  std::vector<std::string> lines;
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    lines.push_back(output.substr(at, end - at));
    at = end + 1;
  }
  if (lines.size() < 2) return false;
  if (std::sscanf(lines[0].c_str(), "%d.%d", &found->major, &found->minor) != 2) return false;
  found->path = lines[1];
  for (size_t i = 2; i < lines.size(); ++i) {
    if (!lines[i].empty()) found->libraries.push_back(lines[i]);
  }
  return true;
}

template <typename T>
bool Bind(void* library, const char* name, T* function) {
  *function = reinterpret_cast<T>(::dlsym(library, name));
  return *function != nullptr;
}

bool BindAll(void* library, PythonApi* api) {
  Bind(library, "Py_SetProgramName", &api->set_program_name);
  return Bind(library, "Py_IsInitialized", &api->is_initialized) &&
         Bind(library, "Py_InitializeEx", &api->initialize) &&
         Bind(library, "Py_FinalizeEx", &api->finalize) &&
         Bind(library, "PyEval_SaveThread", &api->save_thread) &&
         Bind(library, "PyEval_RestoreThread", &api->restore_thread) &&
         Bind(library, "PyRun_SimpleString", &api->run) &&
         Bind(library, "PyImport_AddModule", &api->add_module) &&
         Bind(library, "PyObject_GetAttrString", &api->attribute) &&
         Bind(library, "PyUnicode_AsUTF8AndSize", &api->text) &&
         Bind(library, "Py_DecodeLocale", &api->decode);
}

// The folder of the package ge that this program was installed with.
std::string PackageFolder() {
  std::error_code ignored;
  const std::filesystem::path here =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  if (std::filesystem::exists(here / "__init__.py", ignored)) return here.string();
  return (here / "../python/site-packages/ge").lexically_normal().string();
}

int Fail(HookLoaded how, const std::string& text, char* reason, size_t bytes) {
  std::snprintf(reason, bytes, "%s", text.c_str());
  return static_cast<int>(how);
}

std::string Quoted(const std::string& path) {
  std::string quoted;
  for (const char c : path) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

void Start(const Interpreter& interpreter) {
  if (g_python.set_program_name != nullptr) {  // so that sys.prefix and packages are its own
    g_python.set_program_name(g_python.decode(interpreter.path.c_str(), nullptr));
  }
  // What this program does on them, which Python would change.
  struct sigaction interrupt, pipe, usual = {};
  usual.sa_handler = SIG_DFL;  // what Python takes KeyboardInterrupt to be for
  ::sigaction(SIGINT, &usual, &interrupt);
  ::sigaction(SIGPIPE, nullptr, &pipe);
  g_python.initialize(1);
  ::sigaction(SIGINT, &interrupt, nullptr);
  ::sigaction(SIGPIPE, &pipe, nullptr);
}

}  // namespace

int LoadEmbeddedPython(char* reason, size_t bytes) {
  Interpreter interpreter;
  if (!Probe("python3", &interpreter) && !Probe("python", &interpreter)) {
    return Fail(HookLoaded::kUnusable, "PATH has no python3 that runs", reason, bytes);
  }
  const std::string version =
      std::to_string(interpreter.major) + "." + std::to_string(interpreter.minor);
  if (std::pair(interpreter.major, interpreter.minor) < std::pair(kLeastMajor, kLeastMinor)) {
    return Fail(HookLoaded::kTooOld, version + " " + interpreter.path, reason, bytes);
  }
  const std::string of = "the Python " + version + " that PATH has, " + interpreter.path + ", ";
  void* library = nullptr;
  for (const std::string& path : interpreter.libraries) {
    library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library != nullptr) break;
  }
  if (library == nullptr || !BindAll(library, &g_python)) {
    const char* why = ::dlerror();
    return Fail(HookLoaded::kUnusable,
                of + "has no libpython that can be opened: " + (why != nullptr ? why : ""), reason,
                bytes);
  }
  Start(interpreter);
  std::string code = kImport;
  for (size_t at; (at = code.find("%s")) != std::string::npos;) {
    code.replace(at, 2, Quoted(PackageFolder()));
  }
  g_python.run(code.c_str());
  void* failure = g_python.attribute(g_python.add_module("__main__"), "ge_failure");
  const std::string text = failure != nullptr ? g_python.text(failure, nullptr) : "";
  g_thread = g_python.save_thread();
  return text.empty() ? 0 : Fail(HookLoaded::kNotImported, text, reason, bytes);
}

void EndEmbeddedPython() {
  if (g_thread == nullptr) return;
  g_python.restore_thread(g_thread);
  g_python.finalize();
}

}  // namespace ge
