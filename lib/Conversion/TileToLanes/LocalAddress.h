// SPDX-FileCopyrightText: the lowp authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in LDS, shared by the accesses from registers and by LDS-DMA.
#ifndef LOWP_CONVERSION_TILETOLANES_LOCALADDRESS_H
#define LOWP_CONVERSION_TILETOLANES_LOCALADDRESS_H

#include "Lanes.h"

namespace lowp::tile {

/// Pointer to `byteOffset` (i32) of the workgroup's LDS.
mlir::Value ldsPointer(mlir::OpBuilder &builder, mlir::Location loc, const LaneContext &context,
                       mlir::Value byteOffset);

/// Byte offset of stage `slot` modulo the number of stages of a ring that starts at `ring` (i32).
mlir::Value stageOffset(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ring, LocalType type,
                        mlir::Value slot);

} // namespace lowp::tile

#endif // LOWP_CONVERSION_TILETOLANES_LOCALADDRESS_H
