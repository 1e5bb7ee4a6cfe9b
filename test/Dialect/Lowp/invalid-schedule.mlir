// RUN: lowp-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{schedule has no field 'waves'}}
#s = #lowp.schedule<tile = [16, 16, 32], instruction = [16, 16, 32]>

// -----

// expected-error@+1 {{unknown schedule field 'mfma'; known are name, tile, waves, instruction, stages, staging, access, result_access, whole_k, rows, xcds, group}}
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
