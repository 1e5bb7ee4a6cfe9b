// RUN: lowp-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{schedule has no field 'waves'}}
#s = #lowp.schedule<tile = [16, 16, 32], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{unknown schedule field 'mfma'; known are name, tile, waves, instruction, parts, steps, order, stages, staging, access, result_access, whole_k, rows, xcds, group, splits}}
#s = #lowp.schedule<mfma = [16, 16, 32]>

// -----

// expected-error@+1 {{schedule field 'stages' is given twice}}
#s = #lowp.schedule<stages = 2, stages = 3>

// -----

// expected-error@+1 {{expected staging 'none', 'registers' or 'direct', but got 'lds'}}
#s = #lowp.schedule<staging = lds>

// -----

// expected-error@+1 {{expected 'true' or 'false', but got 'yes'}}
#s = #lowp.schedule<whole_k = yes>

// -----

// expected-error@+1 {{schedule field 'tile' must have 3 numbers, but got 2}}
#s = #lowp.schedule<tile = [16, 16], waves = [1, 1, 1], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{schedule field 'tile' must have powers of two up to 65536, but got '48'}}
#s = #lowp.schedule<tile = [16, 48, 32], waves = [1, 1, 1], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{schedule field 'waves' must have powers of two up to 65536, but got '0'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 0, 1], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{schedule field 'stages' must be from 1 to 65536, but got '0'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], stages = 0>

// -----

// expected-error@+1 {{schedule field 'access' must be 0, 1, 2, 4, 8 or 16, but got '12'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], access = 12>

// -----

// expected-error@+1 {{schedule field 'result_access' must be 0, 1, 2, 4, 8 or 16, but got '32'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], result_access = 32>

// -----

// expected-error@+1 {{schedule field 'rows' must be [lo, hi] with 1 <= lo <= hi or hi = 0, but got '[17, 16]'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], rows = [17, 16]>

// -----

// expected-error@+1 {{schedule field 'rows' must have 2 numbers, but got 1}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], rows = [17]>

// -----

// expected-error@+1 {{schedule field 'name' must be letters, digits, '_' and '-', but got 'a b'}}
#s = #lowp.schedule<name = "a b", tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{expected order 'plain', 'interleave' or 'pingpong', but got 'random'}}
#s = #lowp.schedule<order = random>

// -----

// expected-error@+1 {{schedule field 'parts' must have 2 numbers, but got 3}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], parts = [2, 2, 1]>

// -----

// expected-error@+1 {{schedule field 'parts' must have powers of two up to 65536, but got '3'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], parts = [2, 3]>

// -----

// expected-error@+1 {{schedule field 'steps' must be 1, 2, 4, 8 or 16, but got '0'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], steps = 0>

// -----

// expected-error@+1 {{schedule field 'steps' must be 1, 2, 4, 8 or 16, but got '3'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], steps = 3>

// -----

// expected-error@+1 {{schedule field 'steps' must be 1, 2, 4, 8 or 16, but got '32'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], steps = 32>

// -----

// expected-error@+1 {{schedule fields 'parts' and 'steps' ask for '128' products in a trip of the loop; at most 64 are accepted}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], parts = [4, 4], steps = 8>

// -----

// expected-error@+1 {{schedule field 'order' must be 'plain' with staging 'none', but got 'interleave'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], order = interleave>

// -----

// expected-error@+1 {{schedule field 'stages' must be a multiple of 'steps' in order 'interleave', but got '3' and '2'}}
#s = #lowp.schedule<tile = [64, 64, 32], waves = [1, 1, 1], instruction = [16, 16, 32], steps = 2, order = interleave, stages = 3, staging = registers>

// -----

// expected-error@+1 {{schedule field 'splits' must be from 1 to 64, but got '0'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], splits = 0>

// -----

// expected-error@+1 {{schedule field 'splits' must be from 1 to 64, but got '65'}}
#s = #lowp.schedule<tile = [16, 16, 32], waves = [1, 1, 1], instruction = [16, 16, 32], splits = 65>
