#pragma once

namespace ge::host {

// CPUs that this process may run on.
int CpuCount();

// `wanted`, else GE_NUM_THREADS, else `cpus`.  More threads than CPUs gain nothing, and very many
// cannot be started; some more do no harm.
int RunThreads(int wanted, int cpus);

}  // namespace ge::host
