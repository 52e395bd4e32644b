(component
  (import "lines" (func $lines (result u32)))
  (core func $lines (canon lower (func $lines)))
  (core module $code
    (import "host" "lines" (func $lines (result i32)))
    (memory (export "memory") 16)
    (data (i32.const 16) "an ordinary line of a report\n")
    (func (export "report") (result i32)
      (local $left i32) (local $to i32)
      (local.set $left (call $lines))
      (local.set $to (i32.const 64))
      (block $done
        (loop $next
          (br_if $done (i32.eqz (local.get $left)))
          (memory.copy (local.get $to) (i32.const 16) (i32.const 29))
          (local.set $to (i32.add (local.get $to) (i32.const 29)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br $next)))
      (i32.store (i32.const 0) (i32.const 64))
      (i32.store (i32.const 4) (i32.sub (local.get $to) (i32.const 64)))
      (i32.const 0)))
  (core instance $instance (instantiate $code
    (with "host" (instance (export "lines" (func $lines))))))
  (func (export "report") (result string)
    (canon lift (core func $instance "report") (memory (core memory $instance "memory")))))
