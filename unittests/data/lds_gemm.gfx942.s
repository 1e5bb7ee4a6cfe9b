; SPDX-FileCopyrightText: the lowp authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; lds_gemm.cl, compiled by clang 22.1 for gfx942.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	gemm
	.globl	gemm
	.p2align	8
	.type	gemm,@function
gemm:
	s_load_dwordx2 s[8:9], s[0:1], 0x1c
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x10
	v_lshrrev_b32_e32 v1, 1, v0
	v_lshrrev_b32_e32 v17, 2, v0
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s9, 0
	v_and_b32_e32 v16, 15, v0
	s_cbranch_scc1 .LBB0_2
	s_mov_b64 s[12:13], 0
	s_branch .LBB0_3
.LBB0_2:
	s_mov_b64 s[12:13], -1
.LBB0_3:
	s_lshl_b32 s1, s2, 6
	s_lshl_b32 s0, s3, 6
	v_and_b32_e32 v25, 32, v1
	v_and_b32_e32 v24, 32, v17
	s_andn2_b64 vcc, exec, s[12:13]
	v_mov_b32_e32 v19, 0
	s_cbranch_vccnz .LBB0_7
	v_lshlrev_b32_e32 v0, 4, v0
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
	v_and_b32_e32 v18, 48, v0
	v_add_u32_e32 v0, s1, v17
	v_mad_u64_u32 v[2:3], s[2:3], s9, v0, v[2:3]
	v_ashrrev_i32_e32 v6, 31, v0
	v_mov_b32_e32 v0, v3
	v_mad_u64_u32 v[6:7], s[2:3], s9, v6, v[0:1]
	v_mov_b32_e32 v4, s6
	v_mov_b32_e32 v5, s7
	v_mov_b32_e32 v3, v6
	v_add_u32_e32 v0, s0, v17
	v_lshl_add_u64 v[20:21], v[2:3], 0, v[18:19]
	v_mad_u64_u32 v[2:3], s[2:3], s9, v0, v[4:5]
	v_ashrrev_i32_e32 v6, 31, v0
	v_mov_b32_e32 v0, v3
	v_mad_u64_u32 v[4:5], s[2:3], s9, v6, v[0:1]
	v_or_b32_e32 v0, v25, v16
	v_lshlrev_b32_e32 v26, 6, v17
	v_and_b32_e32 v28, 24, v1
	v_lshlrev_b32_e32 v30, 6, v0
	v_or_b32_e32 v0, v24, v16
	v_mov_b32_e32 v3, v4
	v_or_b32_e32 v27, 0x1000, v26
	v_or_b32_e32 v29, 0x1000, v28
	v_lshlrev_b32_e32 v31, 6, v0
	v_lshl_add_u64 v[22:23], v[2:3], 0, v[18:19]
	s_mov_b64 s[2:3], 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_add_u32_e32 v19, v26, v18
	v_add_u32_e32 v18, v27, v18
	v_add_u32_e32 v26, v28, v30
	v_add_u32_e32 v27, v29, v31
.LBB0_5:
	v_lshl_add_u64 v[28:29], v[20:21], 0, s[2:3]
	v_lshl_add_u64 v[30:31], v[22:23], 0, s[2:3]
	global_load_dwordx4 v[32:35], v[28:29], off
	global_load_dwordx4 v[36:39], v[30:31], off
	s_add_u32 s2, s2, 64
	s_addc_u32 s3, s3, 0
	s_cmp_ge_i32 s2, s9
	s_waitcnt vmcnt(1)
	ds_write_b128 v19, v[32:35]
	s_waitcnt vmcnt(0)
	ds_write_b128 v18, v[36:39]
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2_b64 v[28:31], v26 offset1:4
	ds_read2_b64 v[32:35], v27 offset1:4
	ds_read2_b64 v[36:39], v27 offset0:128 offset1:132
	ds_read2_b64 v[40:43], v26 offset0:128 offset1:132
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x32_fp8_fp8 v[12:15], v[28:29], v[32:33], v[12:15]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[28:29], v[36:37], v[8:11]
	s_barrier
	v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[40:41], v[32:33], v[0:3]
	v_mfma_f32_16x16x32_fp8_fp8 v[4:7], v[40:41], v[36:37], v[4:7]
	v_mfma_f32_16x16x32_fp8_fp8 v[12:15], v[30:31], v[34:35], v[12:15]
	v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[30:31], v[38:39], v[8:11]
	v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[42:43], v[34:35], v[0:3]
	v_mfma_f32_16x16x32_fp8_fp8 v[4:7], v[42:43], v[38:39], v[4:7]
	s_cbranch_scc0 .LBB0_5
	s_nop 5
	v_mov_b32_e32 v19, v7
	s_branch .LBB0_8
.LBB0_7:
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v12, 0
.LBB0_8:
	v_and_b32_e32 v7, 12, v17
	v_or3_b32 v7, v7, v25, s1
	s_ashr_i32 s1, s0, 31
	s_ashr_i32 s9, s8, 31
	s_lshl_b64 s[0:1], s[0:1], 2
	v_mov_b32_e32 v17, 0
	s_add_u32 s0, s10, s0
	s_addc_u32 s1, s11, s1
	v_lshlrev_b32_e32 v20, 2, v24
	v_mov_b32_e32 v21, v17
	v_lshl_add_u64 v[20:21], s[0:1], 0, v[20:21]
	v_lshl_add_u64 v[16:17], v[16:17], 2, v[20:21]
	v_mad_i64_i32 v[20:21], s[0:1], v7, s8, 0
	v_lshl_add_u64 v[20:21], v[20:21], 2, v[16:17]
	s_lshl_b64 s[0:1], s[8:9], 2
	v_lshl_add_u64 v[22:23], v[20:21], 0, s[0:1]
	global_store_dword v[20:21], v12, off
	global_store_dword v[22:23], v13, off
	v_lshl_add_u64 v[12:13], v[22:23], 0, s[0:1]
	v_lshl_add_u64 v[24:25], v[12:13], 0, s[0:1]
	v_or_b32_e32 v7, 16, v7
	global_store_dword v[12:13], v14, off
	global_store_dword v[24:25], v15, off
	global_store_dword v[20:21], v8, off offset:64
	global_store_dword v[22:23], v9, off offset:64
	global_store_dword v[12:13], v10, off offset:64
	global_store_dword v[24:25], v11, off offset:64
	v_mad_i64_i32 v[8:9], s[2:3], v7, s8, 0
	v_lshl_add_u64 v[8:9], v[8:9], 2, v[16:17]
	v_lshl_add_u64 v[10:11], v[8:9], 0, s[0:1]
	global_store_dword v[8:9], v0, off
	global_store_dword v[10:11], v1, off
	v_lshl_add_u64 v[0:1], v[10:11], 0, s[0:1]
	v_lshl_add_u64 v[12:13], v[0:1], 0, s[0:1]
	global_store_dword v[0:1], v2, off
	global_store_dword v[12:13], v3, off
	global_store_dword v[8:9], v4, off offset:64
	global_store_dword v[10:11], v5, off offset:64
	global_store_dword v[0:1], v6, off offset:64
	global_store_dword v[12:13], v19, off offset:64
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel gemm
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 36
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 44
		.amdhsa_next_free_sgpr 14
		.amdhsa_accum_offset 44
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	gemm, .Lfunc_end0-gemm
	.set gemm.num_vgpr, 44
	.set gemm.num_agpr, 0
	.set gemm.numbered_sgpr, 14
	.set gemm.num_named_barrier, 0
	.set gemm.private_seg_size, 0
	.set gemm.uses_vcc, 1
	.set gemm.uses_flat_scratch, 0
	.set gemm.has_dyn_sized_stack, 0
	.set gemm.has_recursion, 0
	.set gemm.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	__clang_ocl_kern_imp_gemm
	.globl	__clang_ocl_kern_imp_gemm
	.p2align	2
	.type	__clang_ocl_kern_imp_gemm,@function
__clang_ocl_kern_imp_gemm:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_and_b32_e32 v28, 0x3ff, v31
	v_mov_b32_e32 v6, v7
	v_bfe_u32 v9, v31, 1, 9
	v_bfe_u32 v7, v31, 2, 8
	v_cmp_gt_i32_e32 vcc, 1, v8
	v_and_b32_e32 v26, 15, v28
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	s_or_saveexec_b64 s[2:3], s[0:1]
	s_lshl_b32 s1, s12, 6
	s_lshl_b32 s0, s13, 6
	v_and_b32_e32 v27, 32, v9
	v_and_b32_e32 v9, 32, v7
	v_mov_b32_e32 v29, 0
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v18, 0
	v_mov_b32_e32 v25, 0
	v_mov_b32_e32 v24, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v22, 0
	s_xor_b64 exec, exec, s[2:3]
	s_cbranch_execz .LBB1_6
	v_lshlrev_b32_e32 v10, 4, v28
	v_and_b32_e32 v28, 48, v10
	v_add_u32_e32 v10, s1, v7
	v_mad_u64_u32 v[0:1], s[4:5], v8, v10, v[0:1]
	v_ashrrev_i32_e32 v11, 31, v10
	v_mov_b32_e32 v10, v1
	v_mad_u64_u32 v[10:11], s[4:5], v8, v11, v[10:11]
	v_mov_b32_e32 v1, v10
	v_add_u32_e32 v10, s0, v7
	v_mad_u64_u32 v[2:3], s[4:5], v8, v10, v[2:3]
	v_ashrrev_i32_e32 v11, 31, v10
	v_mov_b32_e32 v10, v3
	v_mad_u64_u32 v[10:11], s[4:5], v8, v11, v[10:11]
	v_mov_b32_e32 v3, v10
	v_or_b32_e32 v10, v27, v26
	v_lshlrev_b32_e32 v30, 6, v10
	v_or_b32_e32 v10, v9, v26
	v_lshl_add_u64 v[0:1], v[0:1], 0, v[28:29]
	v_lshlrev_b32_e32 v31, 6, v10
	v_lshl_add_u64 v[2:3], v[2:3], 0, v[28:29]
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v24, 0
	v_mov_b32_e32 v25, 0
	v_mov_b32_e32 v18, 0
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, 0
	v_add_u32_e32 v29, v0, v28
	v_add_u32_e32 v28, v0, v28
	v_add_u32_e32 v30, v0, v30
	v_add_u32_e32 v31, v0, v31
	s_mov_b64 s[6:7], 0
	s_trap 2
.LBB1_4:
	v_lshl_add_u64 v[32:33], v[0:1], 0, s[6:7]
	v_lshl_add_u64 v[34:35], v[2:3], 0, s[6:7]
	global_load_dwordx4 v[36:39], v[32:33], off
	global_load_dwordx4 v[48:51], v[34:35], off
	s_add_u32 s6, s6, 64
	s_addc_u32 s7, s7, 0
	v_cmp_ge_i32_e32 vcc, s6, v8
	s_or_b64 s[4:5], vcc, s[4:5]
	s_waitcnt vmcnt(1)
	ds_write_b128 v29, v[36:39]
	s_waitcnt vmcnt(0)
	ds_write_b128 v28, v[48:51]
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2_b64 v[32:35], v30 offset1:4
	ds_read2_b64 v[36:39], v31 offset1:4
	ds_read2_b64 v[48:51], v31 offset0:128 offset1:132
	ds_read2_b64 v[52:55], v30 offset0:128 offset1:132
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x32_fp8_fp8 v[22:25], v[32:33], v[36:37], v[22:25]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_fp8_fp8 v[18:21], v[32:33], v[48:49], v[18:21]
	s_barrier
	v_mfma_f32_16x16x32_fp8_fp8 v[10:13], v[52:53], v[36:37], v[10:13]
	v_mfma_f32_16x16x32_fp8_fp8 v[14:17], v[52:53], v[48:49], v[14:17]
	v_mfma_f32_16x16x32_fp8_fp8 v[22:25], v[34:35], v[38:39], v[22:25]
	v_mfma_f32_16x16x32_fp8_fp8 v[18:21], v[34:35], v[50:51], v[18:21]
	v_mfma_f32_16x16x32_fp8_fp8 v[10:13], v[54:55], v[38:39], v[10:13]
	v_mfma_f32_16x16x32_fp8_fp8 v[14:17], v[54:55], v[50:51], v[14:17]
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB1_4
	s_or_b64 exec, exec, s[4:5]
.LBB1_6:
	s_or_b64 exec, exec, s[2:3]
	v_and_b32_e32 v0, 12, v7
	v_or3_b32 v28, v0, v27, s1
	s_ashr_i32 s1, s0, 31
	v_mov_b32_e32 v27, 0
	v_lshl_add_u64 v[0:1], s[0:1], 2, v[4:5]
	v_lshlrev_b32_e32 v2, 2, v9
	v_mov_b32_e32 v3, v27
	v_lshl_add_u64 v[0:1], v[0:1], 0, v[2:3]
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[0:1], v[26:27], 2, v[0:1]
	v_mad_i64_i32 v[2:3], s[0:1], v28, v6, 0
	v_lshl_add_u64 v[2:3], v[2:3], 2, v[0:1]
	v_lshlrev_b64 v[4:5], 2, v[6:7]
	v_lshl_add_u64 v[8:9], v[2:3], 0, v[4:5]
	global_store_dword v[2:3], v22, off
	global_store_dword v[8:9], v23, off
	v_lshl_add_u64 v[22:23], v[8:9], 0, v[4:5]
	v_lshl_add_u64 v[26:27], v[22:23], 0, v[4:5]
	global_store_dword v[22:23], v24, off
	global_store_dword v[26:27], v25, off
	global_store_dword v[2:3], v18, off offset:64
	global_store_dword v[8:9], v19, off offset:64
	global_store_dword v[22:23], v20, off offset:64
	global_store_dword v[26:27], v21, off offset:64
	v_or_b32_e32 v2, 16, v28
	v_mad_i64_i32 v[2:3], s[0:1], v2, v6, 0
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	v_lshl_add_u64 v[2:3], v[0:1], 0, v[4:5]
	v_lshl_add_u64 v[6:7], v[2:3], 0, v[4:5]
	v_lshl_add_u64 v[4:5], v[6:7], 0, v[4:5]
	global_store_dword v[0:1], v10, off
	global_store_dword v[2:3], v11, off
	global_store_dword v[6:7], v12, off
	global_store_dword v[4:5], v13, off
	global_store_dword v[0:1], v14, off offset:64
	global_store_dword v[2:3], v15, off offset:64
	global_store_dword v[6:7], v16, off offset:64
	global_store_dword v[4:5], v17, off offset:64
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	__clang_ocl_kern_imp_gemm, .Lfunc_end1-__clang_ocl_kern_imp_gemm
	.set __clang_ocl_kern_imp_gemm.num_vgpr, 56
	.set __clang_ocl_kern_imp_gemm.num_agpr, 0
	.set __clang_ocl_kern_imp_gemm.numbered_sgpr, 32
	.set __clang_ocl_kern_imp_gemm.num_named_barrier, 0
	.set __clang_ocl_kern_imp_gemm.private_seg_size, 0
	.set __clang_ocl_kern_imp_gemm.uses_vcc, 1
	.set __clang_ocl_kern_imp_gemm.uses_flat_scratch, 0
	.set __clang_ocl_kern_imp_gemm.has_dyn_sized_stack, 0
	.set __clang_ocl_kern_imp_gemm.has_recursion, 0
	.set __clang_ocl_kern_imp_gemm.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 56
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .is_const:       true
        .offset:         0
        .size:           8
        .type_name:      'uchar*'
        .value_kind:     global_buffer
      - .address_space:  global
        .is_const:       true
        .offset:         8
        .size:           8
        .type_name:      'uchar*'
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .type_name:      int
        .value_kind:     by_value
      - .offset:         28
        .size:           4
        .type_name:      int
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .type_name:      int
        .value_kind:     by_value
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 36
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           gemm
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
    .sgpr_count:     20
    .sgpr_spill_count: 0
    .symbol:         gemm.kd
    .uses_dynamic_stack: false
    .vgpr_count:     44
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
