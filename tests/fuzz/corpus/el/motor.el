-- A DC motor, and an experiment with it: how fast is it after five seconds?
--
-- The component says what holds always (CONTINUOUS), and what happens when a condition becomes true (DISCRETE).
-- The partition says what is given from outside; the experiment says how, and how long. Try
--     cutset simulate motor.el
--     cutset equations motor.el motorDC.motor2
--     cutset simulate motor.el motorDC.motor1.runaway --plot w

COMPONENT motorDC
DATA
   REAL J = 2          "moment of inertia"
   REAL K = 3          "torque constant"
   REAL f = 0.01       "friction"
   REAL R = 0.1        "resistance"
   REAL Ke = 0.5       "voltage constant"
DECLS
   DISCR REAL T        "load torque"
   REAL w              "speed"
   REAL i              "current"
   REAL v              "voltage"
INIT
   w = 30
DISCRETE
   WHEN (w > 1500) THEN
      T = 20
   END WHEN
CONTINUOUS
   J*w' = K*i - f*w - T
   v = R*i + Ke*w
END COMPONENT

-- The voltage is given; the load comes when the motor runs too fast.
PARTITION motor1 ON motorDC
   BOUNDS v
END PARTITION

-- Voltage and load are given.
PARTITION motor2 ON motorDC
   BOUNDS v, T
END PARTITION

EXPERIMENT runaway ON motorDC.motor1
BOUNDS
   v = 1000
BODY
   TIME = 0
   TSTOP = 5
   CINT = 0.1
   INTEG()
END EXPERIMENT

EXPERIMENT exp1 ON motorDC.motor2
INIT
   w = 0
BOUNDS
   v = 10
   T = 2
BODY
   REPORT_TABLE("reportAll", " * ")
   TIME = 0
   TSTOP = 5
   CINT = 0.1
   INTEG()
END EXPERIMENT
