// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOWP_TILE_ATTRS
#define LOWP_TILE_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"
include "lowp/Dialect/Tile/IR/TileDialect.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===-- Layouts ------------------------------------------------------------------------------------------------------===//

def Tile_LinearAttr : Tile_Attr<"Linear", "linear", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "a layout: a linear map over bits";
  let description = [{
    Maps the bits of the inputs (`register`, `lane`, `wave` for a tensor; `offset`, in elements, for an LDS buffer) to
    coordinates of the tile: each input bit has one basis vector, and an input lands on the xor of its bits' vectors. A zero
    vector makes copies. `fragment` is the number of consecutive registers that travel as one vector at stage "lanes".

    ```mlir
    // 4 registers along the row, 16 lanes down the rows, 4 lanes along it
    #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [],
                 shape = [16, 16], fragment = 4>
    ```
  }];
  let parameters = (ins AttrParameter<"::lowp::LinearLayout", "the map", "const ::lowp::LinearLayout &">:$layout, "unsigned":$fragment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements one lane holds.
    int64_t registers() const { return int64_t(1) << getLayout().inputBits("register"); }
    /// The encoding of `type`, null when it has none of this kind.
    static LinearAttr of(::mlir::Type type);
  }];
}

//===-- Enumerations -------------------------------------------------------------------------------------------------===//

def Tile_StagingAttr : I32EnumAttr<"Staging", "the way of a global tile to the matrix cores", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Registers", 1, "registers">,
    I32EnumAttrCase<"Direct", 2, "direct">]> {
  let cppNamespace = "::lowp::tile";
  let description = [{
    `none`: straight into the registers that use it; `registers`: through registers into LDS; `direct`: by LDS-DMA into LDS.
  }];
}

def Tile_OrderAttr : I32EnumAttr<"Order", "how the instructions of a loop, or of a cluster, are ordered", [
    I32EnumAttrCase<"Interleave", 1, "interleave">,
    I32EnumAttrCase<"PingPong", 2, "pingpong">]> {
  let cppNamespace = "::lowp::tile";
  let description = [{
    `interleave`: accesses of memory are spread between the matrix instructions. `pingpong`: accesses of memory, a barrier, the matrix
    instructions, a barrier; the halves of the workgroup take turns.
  }];
}

def Tile_StaggerAttr : I32EnumAttr<"Stagger", "an end of a stretch in which half of the waves are behind", [
    I32EnumAttrCase<"Begin", 0, "begin">,
    I32EnumAttrCase<"End", 1, "end">]> {
  let cppNamespace = "::lowp::tile";
}

def Tile_ReductionAttr : I32EnumAttr<"Reduction", "how elements are combined", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::lowp::tile";
}

def Tile_ArgumentKindAttr : I32EnumAttr<"ArgumentKind", "what a kernel argument is", [
    I32EnumAttrCase<"Input", 0, "input">,
    I32EnumAttrCase<"Scalar", 1, "scalar">,
    I32EnumAttrCase<"Result", 2, "result">,
    I32EnumAttrCase<"Dimension", 3, "dimension">,
    I32EnumAttrCase<"Stride", 4, "stride">,
    I32EnumAttrCase<"Workspace", 5, "workspace">]> {
  let cppNamespace = "::lowp::tile";
}

//===-- Entries: what a launcher needs -------------------------------------------------------------------------------===//

def Tile_ArgumentAttr : Tile_Attr<"Argument", "argument"> {
  let summary = "one argument of an entry's kernels";
  let description = [{
    The order is that of the kernels' arguments. `type` is the tensor or scalar type of the source for inputs, scalars and
    results, `i32` for dimensions, `i64` for strides. `sizes` stands with results that have dynamic dimensions: those are no
    arguments of their own but follow from the others; the map has one result per dimension, over the arguments' symbols.
    ```mlir
    #tile.argument<input "a" : tensor<?x64xf8E4M3FN>>, #tile.argument<dimension "a.0" : i32>,
    #tile.argument<result "result0" : tensor<?x8xf32> sizes affine_map<()[s0, s1, s2] -> (s2, 8)>>
    ```
  }];
  let parameters = (ins EnumParameter<Tile_ArgumentKindAttr>:$kind, StringRefParameter<>:$name, "::mlir::Type":$type,
      OptionalParameter<"::mlir::AffineMapAttr">:$sizes);
  let assemblyFormat = "`<` $kind $name `:` $type (`sizes` $sizes^)? `>`";
}

def Tile_ConditionAttr : Tile_Attr<"Condition", "condition"> {
  let summary = "a precondition over the arguments";
  let description = [{
    Symbol `s_i` is the value of the entry's i-th argument (a pointer's is its address). `text` is the rule in the user's words.
    The set is printed as a string, because MLIR's parser takes the `>` of `>=` inside an attribute for a closing bracket; an
    alias (`#aligned`) is parsed as well.
    ```mlir
    #tile.condition<"a must be aligned to 16 bytes", "affine_set<()[s0, s1] : (s0 mod 16 == 0)>">
    ```
  }];
  let parameters = (ins StringRefParameter<>:$text, "::mlir::IntegerSet":$set);
  let hasCustomAssemblyFormat = 1;
}

def Tile_LaunchAttr : Tile_Attr<"Launch", "launch"> {
  let summary = "a kernel and its grid";
  let description = [{
    `grid` gives the three counts of workgroups over the arguments' symbols and one more, the number of compute units.
    ```mlir
    #tile.launch<@gemm.large, affine_map<()[s0, s1, s2] -> (s0 ceildiv 256, 1, 1)>>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$kernel, "::mlir::AffineMap":$grid);
  let hasCustomAssemblyFormat = 1;
}

def Tile_VariantAttr : Tile_Attr<"Variant", "variant"> {
  let summary = "one way to compute an entry: preconditions, launches in order";
  let description = [{
    `workspace` is how many bytes of memory the launches share, uninitialised before the first, over the symbols of a grid. They
    find it in the argument of kind `workspace`.
    ```mlir
    #tile.variant<"large", schedule = #lowp.schedule<...>, conditions = [...], launches = [...]>
    #tile.variant<"skinny", schedule = ..., conditions = [...], launches = [#tile.launch<@f.skinny, ...>, #tile.launch<@f.skinny.reduce, ...>],
                  workspace = affine_map<()[s0, s1, s2, s3] -> (s2 * 32768)>>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::Attribute":$schedule,
      OptionalArrayRefParameter<"::lowp::tile::ConditionAttr">:$conditions,
      OptionalArrayRefParameter<"::lowp::tile::LaunchAttr">:$launches, OptionalParameter<"::mlir::AffineMapAttr">:$workspace);
  let assemblyFormat = [{
    `<` $name `,` `schedule` `=` $schedule `,` `conditions` `=` `[` (`]`) : ($conditions^ `]`)? `,`
    `launches` `=` `[` (`]`) : ($launches^ `]`)? (`,` `workspace` `=` $workspace^)? `>`
  }];
}

#endif // LOWP_TILE_ATTRS
