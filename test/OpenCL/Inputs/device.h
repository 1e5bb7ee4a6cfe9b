// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What OpenCL's library would give, from clang's builtins: the kernels are compiled without any device
// library. Not inline on purpose: at -O0 these are real calls.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define LOCAL_ID(d) __builtin_amdgcn_workitem_id_##d()
#define GROUP_ID(d) __builtin_amdgcn_workgroup_id_##d()
#define LOCAL_SIZE(d) __builtin_amdgcn_workgroup_size_##d()
#define GLOBAL_SIZE(d) __builtin_amdgcn_grid_size_##d()
#define GLOBAL_ID(d) (GROUP_ID(d) * LOCAL_SIZE(d) + LOCAL_ID(d))
#define GROUP_OF(n) __attribute__((always_inline, reqd_work_group_size(n, 1, 1)))

static void sync(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

static uint lane(void) { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }

// The value of another lane of the wave.
static int from_lane(int value, uint source) { return __builtin_amdgcn_ds_bpermute(source * 4, value); }
static float from_lane_f(float value, uint source) {
  return __builtin_astype(from_lane(__builtin_astype(value, int), source), float);
}
