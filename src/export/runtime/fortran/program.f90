  ! ---- the command line

  subroutine main_
    interface
      subroutine end_program(status) bind(c, name='exit')
        use, intrinsic :: iso_c_binding, only: c_int
        implicit none
        integer(c_int), value :: status
      end subroutine
    end interface
    character(len=1000) :: option, argument, file, what
    integer :: i, status
    logical :: bad

    call set_data_
    file = ' '
    i = 0
    do while (i < command_argument_count())
      i = i + 1
      call get_command_argument(i, option)
      if (option == '--help' .or. option == '-h') then
        call usage(6)
        call finish(0)
      else if (option == '--list') then
        call list
        call finish(0)
      else if (option(1:1) /= '-') then
        call set_parameter(option)
        cycle
      end if
      i = i + 1
      if (i > command_argument_count()) call wrong
      call get_command_argument(i, argument)
      select case (option)
      case ('-o', '--output')
        file = argument
      case ('--solver')
        select case (argument)
        case ('auto')
          solver_ = 0
        case ('dopri')
          solver_ = 1
        case ('rodas')
          solver_ = 2
          if (has_stiff_ == 0) call wrong
        case default
          call wrong
        end select
      case ('--start')
        start_time_ = number(argument)
      case ('--stop')
        stop_time_ = number(argument)
      case ('--points')
        points_ = nint(number(argument))
        output_step_ = 0
      case ('--step')
        output_step_ = number(argument)
      case ('--tolerance')
        tolerance_ = number(argument)
      case default
        call wrong
      end select
    end do
    if (.not. stop_time_ > start_time_ .or. .not. tolerance_ > 0 .or. output_step_ < 0) then
      write (error_unit, '(a)') model_name_ // ': the stop must come after the start, tolerance and step be positive'
      call finish(2)
    end if
    if (file /= ' ') then
      open (newunit=out_, file=trim(file), status='replace', action='write', iostat=status)
      if (status /= 0) then
        write (error_unit, '(3a)') model_name_, ': cannot write ', trim(file)
        call finish(1)
      end if
    end if
    do i = 1, ncolumn_ + zero_
      if (i > 1) write (out_, '(a)', advance='no') ','
      write (out_, '(a)', advance='no') trim(column_name_(i))
    end do
    write (out_, '()')
    what = 'the initialization cannot be computed'
    call initialise_(bad)
    if (.not. bad) then
      what = ' '
      call write_row_
      next_output_ = 1
      if (.not. terminated_) call integrate_(what)
    end if
    call write_parameters
    if (what /= ' ') then
      write (error_unit, '(a, g0.9, 4a)') model_name_ // ': at time ', v(time), ': ', trim(what), ': ', trim(problem_)
      call finish(1)
    end if

    call finish(0)

    contains

    subroutine usage(unit)
      integer, intent(in) :: unit
      write (unit, '(a)') 'usage: ' // model_name_ // ' [PARAMETER=VALUE]... [--start T] [--stop T] [--points N]', &
        '       [--step DT] [--tolerance R] [--solver auto|dopri|rodas] [-o FILE] [--list]', &
        'The results go to FILE, else to standard output, as comma-separated values; the', &
        'parameters once, for FILE.csv to FILE.parameters.csv.'
    end subroutine

    ! What does not change stands once: NAME.parameters.csv beside NAME.csv.
    subroutine write_parameters
      integer :: k, unit, length, problem
      character(len=26) :: text
      character(len=1) :: quote
      length = len_trim(file)
      if (nparameter_ == 0 .or. length < 4) return
      if (file(max(length - 3, 1):length) /= '.csv') return
      open (newunit=unit, file=file(:length - 4) // '.parameters.csv', status='replace', action='write', iostat=problem)
      if (problem /= 0) then
        write (error_unit, '(3a)') model_name_, ': cannot write ', file(:length - 4) // '.parameters.csv'
        return
      end if
      write (unit, '(a)') 'parameter,value,unit,description'
      do k = 1, nparameter_ + zero_
        write (text, '(es24.16e3)') v(parameter_(k))
        quote = merge('"', ' ', index(parameter_name_(k), ',') > 0)
        write (unit, '(8a)') trim(quote), trim(parameter_name_(k)), trim(quote), ',', trim(adjustl(text)), ',', &
          trim(parameter_unit_(k)), ','
      end do
      close (unit)
    end subroutine

    subroutine finish(status)
      integer, intent(in) :: status
      flush (out_)
      call end_program(status)
    end subroutine

    subroutine wrong
      call usage(error_unit)
      call finish(2)
    end subroutine

    subroutine list
      integer :: k
      character(len=26) :: text
      call parameters_
      do k = 1, nparameter_ + zero_
        write (text, '(es24.16e3)') v(parameter_(k))
        write (6, '(4a)') trim(parameter_name_(k)), ' = ', trim(adjustl(text)), &
          trim(merge(' (fixed: it has shaped the equations)', repeat(' ', 37), parameter_structural_(k) == 1))
      end do
    end subroutine

    real(dp) function number(text)
      character(len=*), intent(in) :: text
      integer :: problem
      read (text, *, iostat=problem) number
      if (problem /= 0 .or. verify(trim(text), '0123456789+-.eEdD') > 0) then
        write (error_unit, '(3a)') model_name_, ': not a number: ', trim(text)
        call finish(2)
      end if
    end function

    subroutine set_parameter(text)
      character(len=*), intent(in) :: text
      integer :: k, equal
      equal = index(text, '=')
      if (equal < 2) call wrong
      do k = 1, nparameter_ + zero_
        if (parameter_name_(k) /= text(:equal - 1)) cycle
        if (parameter_structural_(k) == 1) then
          write (error_unit, '(4a)') model_name_, ': ', trim(parameter_name_(k)), &
            ' has shaped the equations; translate the model anew with --set ' // trim(text)
          call finish(2)
        end if
        given_(k) = .true.
        v(parameter_(k)) = number(text(equal + 1:))
        return
      end do
      write (error_unit, '(4a)') model_name_, ': there is no parameter ', text(:equal - 1), '; --list shows them'
      call finish(2)
    end subroutine
  end subroutine
