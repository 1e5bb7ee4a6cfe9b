// out[i] = factor * in[i] for i < count, in steps of all work-items of two workgroups of 64. The last branch compares with
// `<=` if `off_by_one` is set, as --defsym=off_by_one=1 does.
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.amdhsa_code_object_version 5
.text
.globl scale
.p2align 8
.type scale,@function
scale:
  s_load_dwordx4 s[4:7], s[0:1], 0x0      // out, in
  s_load_dwordx2 s[8:9], s[0:1], 0x10     // factor, count
  s_lshl_b32 s2, s2, 6
  v_or_b32 v0, s2, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32 vcc, s9, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz .Lend
.Lloop:
  v_lshlrev_b32 v1, 2, v0
  global_load_dword v2, v1, s[6:7]
  v_add_u32 v0, 0x80, v0
  s_waitcnt vmcnt(0)
  v_mul_f32 v2, s8, v2
  global_store_dword v1, v2, s[4:5]
.ifdef off_by_one
  v_cmp_ge_u32 vcc, s9, v0
.else
  v_cmp_gt_u32 vcc, s9, v0
.endif
  s_and_b64 exec, exec, vcc
  s_cbranch_execnz .Lloop
.Lend:
  s_endpgm
.Lafter:
.size scale, .Lafter-scale
.section .rodata,"a"
.p2align 6
.amdhsa_kernel scale
  .amdhsa_kernarg_size 24
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_accum_offset 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer}
      - {.offset: 8, .size: 8, .value_kind: global_buffer}
      - {.offset: 16, .size: 4, .value_kind: by_value}
      - {.offset: 20, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
