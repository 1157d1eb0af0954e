#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ge {

inline constexpr size_t kFlagCount = 90;
using FlagSet = std::bitset<kFlagCount>;  // indices into kFlags (flag_table.h)

#ifdef __aarch64__
inline constexpr const char* kBuildCpu = "aarch64";
#else
inline constexpr const char* kBuildCpu = "x86_64";
#endif

// What the user asked for: one field per flag of ATC, holding ATC's default until the command line
// says otherwise.  Everything else about a flag is its row in flag_table.cc.
struct Options {
  // General
  bool help = false;
  int32_t mode = 0;
  std::string raw_ge_options;
  bool raw_ge_options_ignore_unsupported = false;
  // Input
  std::string model;
  std::string weight;
  std::string om;
  int32_t framework = -1;
  std::string input_format;
  std::string input_shape;
  std::string input_hint_shape;
  std::string input_shape_range;
  std::string dynamic_batch_size;
  std::string dynamic_image_size;
  std::string dynamic_dims;
  std::string singleop;
  // Output
  std::string output;
  std::string output_type;
  std::string check_report = "check_result.json";
  std::string json;
  std::string host_env_os = "linux";
  std::string host_env_cpu = kBuildCpu;
  // Target
  std::string soc_version;
  int32_t virtual_type = 0;
  std::string core_type = "AiCore";
  std::string aicore_num;
  // Feature
  std::string out_nodes;
  std::string input_fp16_nodes;
  std::string insert_op_conf;
  std::string op_name_map;
  std::string is_input_adjust_hw_layout;
  std::string is_output_adjust_hw_layout;
  std::string external_weight = "0";
  // Model tuning
  int32_t disable_reuse_memory = 0;
  std::string fusion_switch_file;
  std::string enable_scope_fusion_passes;
  std::string enable_single_stream;
  std::string ac_parallel_enable = "0";
  std::string tiling_schedule_optimize = "0";
  std::string quant_dumpable;
  std::string cluster_config;
  std::string hccl_sub_comm_config;
  std::string enable_small_channel = "0";
  std::string enable_compress_weight = "false";
  std::string compress_weight_conf;
  std::string compression_optimize_conf;
  std::string enable_attr_compression = "true";
  int32_t sparsity = 0;
  std::string buffer_optimize = "l2_optimize";
  std::string mdl_bank_path;
  std::string oo_level = "O3";
  std::string oo_constant_folding;
  std::string oo_dead_code_elimination;
  std::string topo_sorting_mode;
  std::string multi_stream_parallel_mode;
  // Operator tuning
  std::string op_precision_mode;
  std::string allow_hf32;
  std::string precision_mode;
  std::string precision_mode_v2;
  std::string modify_mixlist;
  std::string keep_dtype;
  std::string customize_dtypes;
  std::string is_weight_clip = "1";
  std::string op_bank_path;
  std::string jit_compile = "1";
  std::string optimization_switch;
  std::string static_model_ops_lower_limit;
  std::string h2d_overlapped_with_compute;
  std::string op_select_implmode;
  std::string optypelist_for_implmode;
  // Debug
  int32_t op_debug_level = 0;
  std::string save_original_model;
  std::string log = "null";
  std::string dump_mode = "0";
  std::string debug_dir;
  std::string status_check = "0";
  std::string op_compiler_cache_dir;
  std::string op_compiler_cache_mode = "disable";
  std::string display_model_info = "0";
  std::string build_config;
  std::string shape_generalized_build_mode = "shape_precise";
  std::string op_debug_config;
  std::string atomic_clean_policy = "0";
  std::string deterministic = "0";
  std::string deterministic_level = "0";
  std::string export_compile_stat;
  // Not shown by --help
  std::string target;
  std::string cal_conf;
  std::string auto_tune_mode;
  std::string device_id = "0";

  FlagSet given;   // flags that stand on the command line
  FlagSet faulty;  // flags whose value, or whose misspelt name, is already reported
};

}  // namespace ge
