-- An experiment is a program: how does the speed of a motor depend on its load, and how fast does it get there?
--     cutset experiment motor_study.el

COMPONENT motorDC
DATA
   REAL J = 2
   REAL K = 3
   REAL f = 0.01
   REAL R = 0.1
   REAL Ke = 0.5
DECLS
   REAL T = 0
   REAL w, i, v
CONTINUOUS
   J*w' = K*i - f*w - T
   v = R*i + Ke*w
END COMPONENT

PARTITION loaded ON motorDC
   BOUNDS v, T
END PARTITION

FUNCTION REAL share(REAL part, REAL whole) "in per cent"
BODY
   RETURN 100*part/whole
END FUNCTION

EXPERIMENT study ON motorDC.loaded
DECLS
   REAL steady = 0
   REAL runs = 0
INIT
   w = 0
BOUNDS
   v = 10
BODY
   REPORT_TABLE("study", "w i")
   CINT = 0.1
   FOR (k IN 0,3)
      T = 10*k
      STEADY()
      steady = w
      w = 0
      TIME = 0
      TSTOP = 0.2
      INTEG()
      WRITE("T = %g: w = %.6f in the end, %.2f %% of it after %g s\n", T, steady, share(w, steady), TIME)
      runs += 1
   END FOR
   IF runs == 4 THEN
      WHILE w < 0.9*steady
         INTEG_TO(TIME + 0.05, 0.05)
      END WHILE
      PRINT("90 % after $TIME s")
   END IF
END EXPERIMENT
