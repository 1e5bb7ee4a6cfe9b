// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_LOWP_DIALECT
#define LOWP_LOWP_DIALECT

include "mlir/IR/OpBase.td"

def Lowp_Dialect : Dialect {
  let name = "lowp";
  let cppNamespace = "::lowp";
  let summary = "what a kernel computes: low-precision products on whole tensors";
  let description = [{
    Value semantics on ranked tensors with static or dynamic sizes; nothing here says how or where something is computed,
    except for the `#lowp.schedule` attributes that may be attached to an operation.

    A public `func.func` is an entry: it becomes kernels. A function with the unit attribute `lowp.device` is a device
    function: it is called by others and is no entry. The string attribute `lowp.name` on an argument or a result of an entry
    names it for its callers.

    ```mlir
    func.func @gemm(%a: tensor<?x4096xf8E4M3FN> {lowp.name = "a"}, %w: tensor<6144x4096xf8E4M3FN>)
        -> tensor<?x6144xbf16> {
      %d = lowp.matmul %a, %w transpose_b
          : tensor<?x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN> -> tensor<?x6144xbf16>
      return %d : tensor<?x6144xbf16>
    }
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // LOWP_LOWP_DIALECT
