// RUN: lowp-opt %s --llvm-carry-loop-annotations | FileCheck %s

// What upstream has left as a mere attribute becomes the branch's own; other branches stay as they are.
// CHECK: #[[WHOLE:.+]] = #llvm.loop_annotation<unroll = #{{.+}}>
#whole = #llvm.loop_annotation<unroll = <disable = true>>

// CHECK-LABEL: llvm.func @branches(
// CHECK: llvm.br ^bb1{{$}}
// CHECK: llvm.cond_br %{{.+}}, ^bb1, ^bb2 {loop_annotation = #[[WHOLE]]}
// CHECK: llvm.br ^bb3 {loop_annotation = #[[WHOLE]]}
// CHECK: llvm.cond_br %{{.+}}, ^bb2, ^bb4{{$}}
llvm.func @branches(%c: i1) {
  llvm.br ^first
^first:
  llvm.cond_br %c, ^first, ^second {llvm.loop_annotation = #whole}
^second:
  llvm.br ^third {llvm.loop_annotation = #whole}
^third:
  llvm.cond_br %c, ^second, ^end
^end:
  llvm.return
}
