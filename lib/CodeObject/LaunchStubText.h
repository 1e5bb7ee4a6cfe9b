// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed text of the launch stub; '@' stands for the stub's prefix. HIP's types and the few values that
// are used are declared here by hand, after HIP's public headers (hip_runtime_api.h of ROCm 5 to 7, where
// they are the same).
#ifndef LOWP_LIB_CODEOBJECT_LAUNCHSTUBTEXT_H
#define LOWP_LIB_CODEOBJECT_LAUNCHSTUBTEXT_H

#include "llvm/ADT/StringRef.h"

namespace lowp::stub {

inline constexpr llvm::StringLiteral headerStart = R"c(#ifndef LOWP_STUB_@_H
#define LOWP_STUB_@_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results: 0, one of these, or a hipError_t (positive). Where a function takes `message`, it may be null; otherwise it is
   set to a text that lives as long as the program. */
enum {
  @_OK = 0,
  @_REFUSED = -1,    /* the entry refuses these arguments */
  @_ARITHMETIC = -2, /* a size has no value in 64 bits */
  @_NO_VARIANT = -3, /* no variant takes these arguments */
  @_NO_HIP = -4      /* the HIP runtime cannot be opened */
};

/* The loaded code object, on the device that is current in HIP when it is loaded. Any thread may use it. */
typedef struct @_module @_module;

/* `hip` names the HIP runtime's shared library; null looks for libamdhip64.so. */
int @_load(const char *hip, @_module **module, const char **message);
void @_unload(@_module *module);

/* Per entry: `choose` gives the index of the variant (cus: the device's compute units), `workspace` the bytes that
   args->workspace has to have (0: none), aligned to 16, `launch` enqueues the kernels on a hipStream_t. What the workspace
   holds does not matter; launches that may run at the same time need one each. Pointers are device pointers. */
)c";

inline constexpr llvm::StringLiteral headerEnd = R"c(
#ifdef __cplusplus
}
#endif

#endif /* LOWP_STUB_@_H */
)c";

inline constexpr llvm::StringLiteral sourceStart = R"c(
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define LOWP_ALIGNED __attribute__((aligned(4096)))
#else
#define LOWP_ALIGNED
#endif

typedef struct {
  void *library;
  int (*getDevice)(int *);
  int (*getAttribute)(int *, int, int);
  int (*loadData)(void **, const void *);
  int (*unload)(void *);
  int (*getFunction)(void **, void *, const char *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  const char *(*errorString)(int);
} lowp_hip;

typedef struct {
  int kernel;
  long long grid[3];
  unsigned block[3];
  unsigned lds;
} lowp_launch;

/* Integer arithmetic that notes what does not fit instead of wrapping. Dividends are not negative, divisors positive. */
static inline long long lowp_add(long long a, long long b, int *bad) {
  if (b > 0 ? a > LLONG_MAX - b : a < LLONG_MIN - b)
    return *bad = 1, 0;
  return a + b;
}

static inline long long lowp_mul(long long a, long long b, int *bad) {
  int overflow = 0;
  if (a > 0)
    overflow = b > 0 ? a > LLONG_MAX / b : b < LLONG_MIN / a;
  else if (a < 0)
    overflow = b > 0 ? a < LLONG_MIN / b : b != 0 && a < LLONG_MAX / b;
  if (overflow)
    return *bad = 1, 0;
  return a * b;
}

static inline long long lowp_floordiv(long long a, long long b, int *bad) {
  if (a < 0 || b <= 0)
    return *bad = 1, 0;
  return a / b;
}

static inline long long lowp_ceildiv(long long a, long long b, int *bad) {
  if (a < 0 || b <= 0)
    return *bad = 1, 0;
  return a / b + (a % b != 0);
}

static inline long long lowp_mod(long long a, long long b, int *bad) {
  if (a < 0 || b <= 0)
    return *bad = 1, 0;
  return a % b;
}
)c";

inline constexpr llvm::StringLiteral sourceRuntime = R"c(
static int lowp_open(lowp_hip *hip, const char *name) {
  static const char *const names[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};
  size_t i;
  hip->library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : 0;
  for (i = 0; !name && !hip->library && i < sizeof names / sizeof *names; ++i)
    hip->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!hip->library)
    return 0;
  *(void **)&hip->getDevice = dlsym(hip->library, "hipGetDevice");
  *(void **)&hip->getAttribute = dlsym(hip->library, "hipDeviceGetAttribute");
  *(void **)&hip->loadData = dlsym(hip->library, "hipModuleLoadData");
  *(void **)&hip->unload = dlsym(hip->library, "hipModuleUnload");
  *(void **)&hip->getFunction = dlsym(hip->library, "hipModuleGetFunction");
  *(void **)&hip->launch = dlsym(hip->library, "hipModuleLaunchKernel");
  *(void **)&hip->errorString = dlsym(hip->library, "hipGetErrorString");
  return hip->getDevice && hip->getAttribute && hip->loadData && hip->unload && hip->getFunction && hip->launch &&
         hip->errorString;
}

int @_load(const char *hip, @_module **result, const char **message) {
  enum { multiprocessorCount = 63 }; /* hipDeviceAttributeMultiprocessorCount */
  const char *unused;
  int status, device = 0, cus = 0;
  size_t i;
  @_module *module = (@_module *)calloc(1, sizeof *module);
  if (!message)
    message = &unused;
  *message = "";
  *result = 0;
  if (!module)
    return *message = "out of memory", 2; /* hipErrorOutOfMemory */
  if (!lowp_open(&module->hip, hip)) {
    @_unload(module);
    return *message = "the HIP runtime (libamdhip64.so) cannot be opened", @_NO_HIP;
  }
  status = module->hip.getDevice(&device);
  if (!status)
    status = module->hip.getAttribute(&cus, multiprocessorCount, device);
  if (!status && (status = module->hip.loadData(&module->module, lowp_code)))
    module->module = 0; /* nothing to unload */
  for (i = 0; !status && i < sizeof lowp_kernels / sizeof *lowp_kernels; ++i)
    status = module->hip.getFunction(&module->functions[i], module->module, lowp_kernels[i]);
  if (status) {
    *message = module->hip.errorString(status);
    @_unload(module);
    return status;
  }
  module->cus = cus;
  *result = module;
  return @_OK;
}

/* The HIP library stays open: its own texts and threads outlive us. */
void @_unload(@_module *module) {
  if (!module)
    return;
  if (module->module)
    module->hip.unload(module->module);
  free(module);
}

static int lowp_run(const @_module *module, const lowp_launch *launches, int count, void *kernarg, size_t bytes,
                    void *stream, const char **message) {
  void *extra[5];
  int i, d, status;
  extra[0] = (void *)1; /* HIP_LAUNCH_PARAM_BUFFER_POINTER */
  extra[1] = kernarg;
  extra[2] = (void *)2; /* HIP_LAUNCH_PARAM_BUFFER_SIZE */
  extra[3] = &bytes;
  extra[4] = (void *)3; /* HIP_LAUNCH_PARAM_END */
  for (i = 0; i < count; ++i)
    for (d = 0; d < 3; ++d)
      if (launches[i].grid[d] < 0 || launches[i].grid[d] > INT_MAX)
        return *message = "the grid does not fit 31 bits", @_ARITHMETIC;
  for (i = 0; i < count; ++i) {
    const lowp_launch *l = &launches[i];
    if (l->grid[0] == 0 || l->grid[1] == 0 || l->grid[2] == 0)
      continue;
    status = module->hip.launch(module->functions[l->kernel], (unsigned)l->grid[0], (unsigned)l->grid[1],
                                (unsigned)l->grid[2], l->block[0], l->block[1], l->block[2], l->lds, stream, 0, extra);
    if (status)
      return *message = module->hip.errorString(status), status;
  }
  return @_OK;
}
)c";

} // namespace lowp::stub

#endif // LOWP_LIB_CODEOBJECT_LAUNCHSTUBTEXT_H
