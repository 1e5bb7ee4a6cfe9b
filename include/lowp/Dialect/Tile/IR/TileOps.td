// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_OPS
#define LOWP_TILE_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "lowp/Dialect/Tile/IR/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

//===-- Entries and kernels ------------------------------------------------------------------------------------------===//

def Tile_EntryOp : Tile_Op<"entry", [Symbol]> {
  let summary = "what a launcher needs to know of one public function";
  let description = [{
    Lists the arguments of the kernels, the conditions that the entry itself makes, and the variants in the order in which
    they are tried. The manifest is made from it.

    ```mlir
    tile.entry @gemm arguments [#tile.argument<input "a" : tensor<?x64xf8E4M3FN>>, ...] conditions [] variants [...]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypedArrayAttrBase<Tile_ArgumentAttr, "arguments">:$entry_arguments,
      TypedArrayAttrBase<Tile_ConditionAttr, "conditions">:$conditions,
      TypedArrayAttrBase<Tile_VariantAttr, "variants">:$variants, OptionalAttr<StrAttr>:$problem);
  let assemblyFormat = [{
    $sym_name `arguments` $entry_arguments `conditions` $conditions `variants` $variants (`problem` $problem^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_KernelOp : Tile_Op<"kernel", [FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope]> {
  let summary = "the program of one workgroup";
  let description = [{
    A function without results over pointers and scalars, run by `waves` waves of 64 lanes.

    ```mlir
    tile.kernel @gemm.any(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %m: i32) waves(4) {
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, I32Attr:$waves,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type, "unsigned":$waves)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Tile_WorkgroupIdOp : Tile_Op<"workgroup_id", [Pure]> {
  let summary = "the index of this workgroup along one axis of the grid";
  let description = [{ ```mlir
    %x = tile.workgroup_id 0
    ``` }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict";
}

//===-- Global memory ------------------------------------------------------------------------------------------------===//

def Tile_ViewOp : Tile_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a pointer seen as a tensor in memory";
  let description = [{
    `sizes` are the dynamic dimensions in order (elements); `strides` (bytes) one for every dimension but the innermost,
    whose elements follow each other, packed where they are smaller than a byte. Everything that the type's `vector`
    promises has to be true.

    ```mlir
    %v = tile.view %p sizes(%m) strides(%ld) : !tile.view<?x64xf8E4M3FN, vector = 16>
    ```
  }];
  let arguments = (ins LLVM_PointerInAddressSpace<1>:$base, Variadic<Index>:$sizes, Variadic<I64>:$strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$base `sizes` `(` $sizes `)` `strides` `(` $strides `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Tile_AccessOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic, traits> {
  code accessDeclarations = [{
    /// The index function with its default: tile dimensions are the view's, in order.
    ::mlir::AffineMap getIndexMap();
    bool isInBounds(unsigned viewDim) { return getInBounds() && (*getInBounds())[viewDim]; }
  }];
  let extraClassDeclaration = accessDeclarations;
}

def Tile_LoadOp : Tile_AccessOp<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "a tile from global memory";
  let description = [{
    Element t of the tile is the view's element at `offsets` + `map`(t), 0 where that is outside the view. `map` is affine in
    the tile's coordinates with constant coefficients; a view dimension may not depend on any (then all elements share it:
    a broadcast). `in_bounds` says per dimension of the view that nothing lies outside. The innermost offset is a multiple of what
    the view's `vector` promises, in elements, or the access is not defined. `staging` tells `tile-assign-layouts` how a tile should
    reach the `tile.mma` that uses it.

    ```mlir
    %a = tile.load %A[%m0, %k0] {staging = direct} : !tile.view<?x?xf8E4M3FN, vector = 16> -> tensor<256x64xf8E4M3FN>
    %t = tile.load %B[%k0, %n0] map affine_map<(n, k) -> (k, n)> : ...
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$offsets, OptionalAttr<AffineMapAttr>:$map,
      OptionalAttr<DenseBoolArrayAttr>:$in_bounds, OptionalAttr<Tile_StagingAttr>:$staging);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`map` $map^)? (`in_bounds` $in_bounds^)? (`staging` `(` $staging^ `)`)? attr-dict `:` type($view) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_AccessOp<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "a tile to global memory";
  let description = [{
    The counterpart of `tile.load`; elements outside the view are dropped. `map` must be injective.
    ```mlir
    tile.store %d, %D[%m0, %n0] : tensor<256x256xbf16>, !tile.view<?x?xbf16, vector = 8>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$value, Tile_ViewType:$view, Variadic<Index>:$offsets,
      OptionalAttr<AffineMapAttr>:$map, OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let assemblyFormat = [{
    $value `,` $view `[` $offsets `]` (`map` $map^)? (`in_bounds` $in_bounds^)? attr-dict `:` type($value) `,` type($view)
  }];
  let hasVerifier = 1;
}

//===-- Computation --------------------------------------------------------------------------------------------------===//

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "a product of tiles added to an accumulator";
  let description = [{
    result = acc + a b with a (M, K), b (K, N), acc (M, N); all three may have one leading dimension more, of equal size, over
    which the product is taken index by index. `instruction` is (m, n, k) of the matrix instruction and `waves` how many
    waves share M, N and the leading dimension. With layouts assigned, a and b map lanes and registers to k alike, in runs of one
    instruction's operand (the fragment), and acc is the instruction's result layout, or its transpose; the verifier does not
    check this, the lowering to lanes does and reports it. No order of summation over k is promised. It inserts no
    waits for its operands: they are values.

    ```mlir
    %r = tile.mma %a, %b, %c instruction [32, 32, 64] waves [2, 4, 1]
        : tensor<256x64xf8E4M3FN>, tensor<64x256xf8E4M3FN>, tensor<256x256xf32>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$a, AnyStaticShapeTensor:$b, AnyStaticShapeTensor:$acc,
      DenseI64ArrayAttr:$instruction, DenseI64ArrayAttr:$waves);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc `instruction` $instruction `waves` $waves attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combines the elements along one dimension";
  let description = [{
    The order of combination is not promised. `max` and `min` propagate NaN.
    ```mlir
    %m = tile.reduce max %s dim 1 : tensor<64x32xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, AnyStaticShapeTensor:$source, I32Attr:$dim);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$kind $source `dim` $dim attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a tile along new dimensions";
  let description = [{
    Dimension i of the source is dimension `dims[i]` of the result.
    ```mlir
    %b = tile.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x32xf32>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$source, DenseI64ArrayAttr:$dims);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source `dims` $dims attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile of one scalar";
  let description = [{ ```mlir
    %s = tile.splat %alpha : f32 -> tensor<64x32xf32>
    ``` }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CoordinateOp : Tile_Op<"coordinate", [Pure]> {
  let summary = "every element's own coordinate along one dimension";
  let description = [{ ```mlir
    %n = tile.coordinate 1 : tensor<64x32xi32>
    ``` }];
  let arguments = (ins I32Attr:$dim);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    `tile-assign-layouts` leaves only conversions that move elements between registers of one lane; the others become a trip
    through LDS there.
    ```mlir
    %b = tile.convert_layout %a : tensor<16x16xf32, #l0> -> tensor<16x16xf32, #l1>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$source);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===-- LDS ----------------------------------------------------------------------------------------------------------===//

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a ring of tiles in LDS, for the whole kernel";
  let description = [{
    `offset` (bytes from the start of the workgroup's LDS) is set by `tile-allocate-lds`.
    ```mlir
    %b = tile.alloc : !tile.local<...>
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$offset);
  let results = (outs Tile_LocalType:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($result)";
}

def Tile_LocalStoreOp : Tile_Op<"local_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "a tile from registers to one stage of an LDS ring";
  let description = [{
    The stage is `slot` modulo the number of stages.
    ```mlir
    tile.local_store %t, %b[%slot] : tensor<...>, !tile.local<...>
    ```
  }];
  let arguments = (ins AnyStaticShapeTensor:$value, Tile_LocalType:$buffer, Index:$slot);
  let assemblyFormat = "$value `,` $buffer `[` $slot `]` attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def Tile_LocalLoadOp : Tile_Op<"local_load", [MemoryEffects<[MemRead]>]> {
  let summary = "a tile from one stage of an LDS ring to registers";
  let description = [{ ```mlir
    %t = tile.local_load %b[%slot] : !tile.local<...> -> tensor<...>
    ``` }];
  let arguments = (ins Tile_LocalType:$buffer, Index:$slot);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$buffer `[` $slot `]` attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_AsyncCopyOp : Tile_AccessOp<"async_copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a tile from global memory to one stage of an LDS ring, by LDS-DMA";
  let description = [{
    As `tile.load` followed by `tile.local_store`, but the data do not pass registers, and arrive some time later: see
    `tile.wait`. Elements outside the view arrive as 0.
    ```mlir
    tile.async_copy %A[%m0, %k0], %b[%slot] : !tile.view<...>, !tile.local<...>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$offsets, Tile_LocalType:$buffer, Index:$slot,
      OptionalAttr<AffineMapAttr>:$map, OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let assemblyFormat = [{
    $view `[` $offsets `]` `,` $buffer `[` $slot `]` (`map` $map^)? (`in_bounds` $in_bounds^)? attr-dict `:` type($view) `,` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = accessDeclarations # [{
    /// Copy instructions that each wave issues for this tile: 16 bytes a lane, `waves` waves.
    unsigned instructionsPerWave(unsigned waves);
  }];
}

def Tile_WaitOp : Tile_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most so many of this wave's copy instructions are outstanding";
  let description = [{
    `copies` counts instructions, not tiles; they finish in the order in which they were issued. Written by `tile-synchronize`.
    ```mlir
    tile.wait copies(8)
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>]>:$copies);
  let assemblyFormat = "`copies` `(` $copies `)` attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all waves of the workgroup meet; their LDS reads and writes by registers are done";
  let description = [{
    With `local`, the last so many LDS instructions of this wave that read or write registers may still be outstanding; 15, the
    largest value of the counter, waits for none of them.
    ```mlir
    tile.barrier
    tile.barrier local(8)
    ```
  }];
  let arguments = (ins DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<0>]>, "0">:$local);
  let assemblyFormat = "(`local` `(` $local^ `)`)? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, 0); }]>];
  let extraClassDeclaration = [{
    static constexpr unsigned noLocalWait = 15;
    bool waitsForLocal() { return getLocal() < noLocalWait; }
  }];
}

//===-- Order --------------------------------------------------------------------------------------------------------===//

def Tile_ClusterOp : Tile_Op<"cluster", [RecursiveMemoryEffects, SingleBlock, NoRegionArguments]> {
  let summary = "operations whose instructions are issued together in a written order";
  let description = [{
    Done once, where it stands; its instructions do not mix with those outside. A wait and a barrier at the end stand in front of the
    last two matrix instructions, which cover their latency. `interleave`: the instructions that access memory are spread evenly
    between the matrix instructions, in program order. `pingpong`: they come first, with a wait and a barrier behind them; the matrix
    instructions then have priority over the other waves of the SIMD. Accesses of LDS in one cluster do not conflict with each other.

    ```mlir
    %r:2 = tile.cluster interleave -> tensor<128x128xf32, #acc>, tensor<128x128xf8E4M3FN, #b> {
      %b1 = tile.local_load %ring[%c0] : ...
      %s = tile.mma %a, %b, %acc ...
      tile.wait copies(10)
      tile.barrier local(4)
      tile.yield %s, %b1 : ...
    }
    ```
  }];
  let arguments = (ins Tile_OrderAttr:$order);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = "$order (`->` type($results)^)? $body attr-dict";
}

def Tile_StaggerOp : Tile_Op<"stagger", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the second half of the waves falls one barrier behind, or catches up";
  let description = [{
    Between `begin` and `end`, which stand in one block, waves of the second half (by number) are one barrier behind the others: while the
    ones are between their barriers n and n + 1, the others are between n - 1 and n. Half of the waves of each SIMD belong to each half,
    so that matrix instructions of the one run beside accesses of memory of the other. An access and a later one that conflicts with it
    need two barriers in between there.

    ```mlir
    tile.stagger begin
    scf.for ... { tile.cluster pingpong { ... } }
    tile.stagger end
    ```
  }];
  let arguments = (ins Tile_StaggerAttr:$end);
  let assemblyFormat = "$end attr-dict";
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, HasParent<"ClusterOp">]> {
  let summary = "the results of a cluster";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // LOWP_TILE_OPS
