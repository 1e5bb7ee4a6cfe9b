// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C (M x N, f32) = A (M x K, fp8) * B (N x K, fp8)^T, staged through LDS: a 64 x 64 tile per workgroup of four waves,
// 64 of K a step. lds_gemm.<chip>.s is this file through
//   clang-22 --target=amdgcn-amd-amdhsa -nogpulib -O3 -x cl -cl-std=CL2.0 -mcpu=<chip> -S
// naive LDS-staged fp8 GEMM: 64x64 tile per workgroup (4 waves, each 32x32 via 16x16x32 x4), K step 64. A[M][K], B[N][K] fp8, C f32
typedef float f4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void gemm(__global const uchar* A,__global const uchar* B,__global float* C,int M,int N,int K){
  __local uchar la[64*64], lb[64*64];
  int t=__builtin_amdgcn_workitem_id_x(), w=t>>6, l=t&63;
  int bm=__builtin_amdgcn_workgroup_id_x()*64, bn=__builtin_amdgcn_workgroup_id_y()*64;
  int wm=(w&1)*32, wn=(w>>1)*32;
  f4 acc[2][2]={};
  for(int k=0;k<K;k+=64){
    int r=t>>2,c=(t&3)*16;
    *(__local i4*)(la+r*64+c)=*(__global const i4*)(A+(size_t)(bm+r)*K+k+c);
    *(__local i4*)(lb+r*64+c)=*(__global const i4*)(B+(size_t)(bn+r)*K+k+c);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE,"workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE,"workgroup");
    for(int kk=0;kk<64;kk+=32){
      long a[2],b[2];
      for(int i=0;i<2;i++){ a[i]=*(__local long*)(la+(wm+i*16+(l&15))*64+kk+(l>>4)*8); b[i]=*(__local long*)(lb+(wn+i*16+(l&15))*64+kk+(l>>4)*8);} 
      for(int i=0;i<2;i++)for(int j=0;j<2;j++) acc[i][j]=__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a[i],b[j],acc[i][j],0,0,0);
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE,"workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE,"workgroup");
  }
  for(int i=0;i<2;i++)for(int j=0;j<2;j++)for(int r=0;r<4;r++)
    C[(size_t)(bm+wm+i*16+(l>>4)*4+r)*N+bn+wn+j*16+(l&15)]=acc[i][j][r];
}
