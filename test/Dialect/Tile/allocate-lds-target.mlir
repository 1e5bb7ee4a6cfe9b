// RUN: lowp-opt %s --tile-allocate-lds=target=gfx1 --verify-diagnostics

// expected-error @+1 {{unknown target 'gfx1', expected one of gfx942, gfx950}}
tile.kernel @nothing() waves(4) {
  tile.return
}
