// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_DIALECT
#define LOWP_TILE_DIALECT

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::lowp::tile";
  let summary = "how a workgroup computes: whole tiles, their layouts, and the way of data through LDS";
  let description = [{
    A `tile.kernel` is the program of one workgroup. Its values are tensors of a static power-of-two shape, one tile each;
    `arith` and `math` work on them element by element. At first tensors carry no encoding; `tile-assign-layouts` gives each
    a `#tile.linear` encoding that says which register of which lane of which wave holds which element.

    Memory is reached through views (`tile.view`: a global buffer with sizes and strides, reads beyond it give 0 and
    writes beyond it are dropped) and through LDS buffers (`tile.alloc`). Up to `tile-synchronize` all operations mean what
    they mean in program order, as if one thread ran the workgroup; that pass adds the waits and barriers which make it
    so for waves and asynchronous copies.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // LOWP_TILE_DIALECT
