-- A room with a heater that a thermostat switches; after it is called for it takes four seconds to warm up.
--     cutset simulate heater.el --plot T

COMPONENT room
DATA
   REAL Tout = 5
   REAL low = 19
   REAL high = 21
   REAL power = 60
DECLS
   REAL T = 18 "temperature of the room"
   DISCR REAL on = 0 "the heater heats"
DISCRETE
   WHEN (T < low) THEN
      on = 1 AFTER 4
   END WHEN
   WHEN (T > high) THEN
      on = 0
   END WHEN
INIT
   on = 1
CONTINUOUS
   20*T' = power*on - (T - Tout)
END COMPONENT

EXPERIMENT evening ON room
BODY
   TSTOP = 60
   CINT = 0.5
   INTEG()
END EXPERIMENT
