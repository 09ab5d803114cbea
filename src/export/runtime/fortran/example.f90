! A program of the run-time system around the example of example_sizes.f90; the emitter puts generated parts in place of
! the three example parts (src/export/emit_fortran.cpp).
module model_
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  include 'example_sizes.f90'
  include 'variables.f90'
  include 'example_lists.f90'
  include 'delay_lines.f90'

contains

  include 'values.f90'
  include 'linear_equations.f90'
  include 'tables.f90'
  include 'array_element.f90'
  include 'delays.f90'
  include 'algebraic_loops.f90'
  include 'example_equations.f90'
  include 'instant.f90'
  include 'settling.f90'
  include 'state_selection.f90'
  include 'events.f90'
  include 'right_hand_side.f90'
  include 'rodas.f90'
  include 'dopri.f90'
  include 'integration.f90'
  include 'results.f90'
  include 'program.f90'

end module

program simulate_
  use model_, only: main_
  implicit none
  call main_
end program
