// RUN: lowp-opt %s --tile-to-lanes=target=gfx950 -split-input-file -verify-diagnostics

// What a matrix instruction asks of the layouts of its operands and its result. 16x16x16: 4 consecutive k in a lane, rows (columns) along
// the low 4 lane bits, k along the others. Each function breaks one rule.

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 2>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @fragments_of_another_size(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op takes fragments of 4, 4 and gives 4 elements, but the layouts have fragments of 2, 4 and 4}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [0, 4], [8, 0], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @a_lane_of_a_moves_k_too_early(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op lane bit 3 of operands 'a' and 'b' must select a row and a column}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0], [4, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @lanes_that_move_k_differently(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op lane bit 4 of operands 'a' and 'b' must move k alike}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[2, 0], [1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @registers_that_move_k_differently(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op register bit 0 of operands 'a' and 'b' must move k alike within a fragment}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 2], [0, 1], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @a_lane_of_the_accumulator_in_another_column(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op lane bit 0 of the accumulator does not match the operands}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0], [4, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @a_lane_group_of_the_accumulator_in_another_row(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op lane bit 4 of the accumulator does not match the operands}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [16, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[2, 0], [1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
tile.kernel @a_register_of_the_accumulator_in_another_row(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<16x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op register bit 0 of the accumulator does not match the operands}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<16x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<16x16xf32, #c>
  tile.return
}

// -----

#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [[0, 0]], shape = [32, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [[0, 0]], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [[16, 0]], shape = [32, 16], fragment = 4>
tile.kernel @a_wave_of_the_accumulator_in_other_rows(%v: bf16) waves(2) {
  %a = tile.splat %v : bf16 -> tensor<32x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<32x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op wave bit 0 of the operands does not match the accumulator}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [2, 1, 1] : tensor<32x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<32x16xf32, #c>
  tile.return
}

// -----

// No element of the rows from 16 on is in any register of A.
#a = #tile.linear<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], wave = [], shape = [32, 16], fragment = 4>
#b = #tile.linear<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [16, 16], fragment = 4>
#c = #tile.linear<register = [[1, 0], [2, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0], [8, 0]], wave = [], shape = [32, 16], fragment = 4>
tile.kernel @operands_that_lack_a_part(%v: bf16) waves(1) {
  %a = tile.splat %v : bf16 -> tensor<32x16xbf16, #a>
  %b = tile.splat %v : bf16 -> tensor<16x16xbf16, #b>
  %c = arith.constant dense<0.0> : tensor<32x16xf32, #c>
  // expected-error@+2 {{'tile.mma' op has no operand fragments for the accumulator at (16, 0), k 0}}
  // expected-error@+1 {{failed to legalize operation 'tile.mma' that was explicitly marked illegal}}
  %r = tile.mma %a, %b, %c instruction [16, 16, 16] waves [1, 1, 1] : tensor<32x16xbf16, #a>, tensor<16x16xbf16, #b>, tensor<32x16xf32, #c>
  tile.return
}
