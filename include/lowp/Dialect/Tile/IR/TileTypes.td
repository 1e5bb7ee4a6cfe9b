// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_TYPES
#define LOWP_TILE_TYPES

include "mlir/IR/AttrTypeBase.td"
include "lowp/Dialect/Tile/IR/TileAttrs.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "a bounded global buffer with sizes and strides";
  let description = [{
    `vector` is a promise in bytes about the innermost dimension: every group of so many bytes that starts at a multiple of
    it is aligned to it in memory and lies wholly inside or wholly outside the view. It is what one lane may move at once; the
    least is the element's own size (1 for sub-byte elements).

    ```mlir
    !tile.view<?x4096xf8E4M3FN, vector = 16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "unsigned":$vector);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    unsigned getNumDynamicDims() const { return ::llvm::count(getShape(), ::mlir::ShapedType::kDynamic); }
  }];
}

def Tile_LocalType : Tile_Type<"Local", "local"> {
  let summary = "a ring of tiles in LDS";
  let description = [{
    `stages` tiles of one shape behind each other; inside each the elements stand as `layout` (input `offset`) says.

    ```mlir
    !tile.local<256x64xf8E4M3FN, stages = 2, #tile.linear<offset = [...], shape = [256, 64], fragment = 1>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "unsigned":$stages,
      "::lowp::tile::LinearAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one stage.
    int64_t getStageBytes() const;
  }];
}

#endif // LOWP_TILE_TYPES
