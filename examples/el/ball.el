-- A ball that bounces until it hardly leaves the ground: a second derivative, a jump of the velocity.
--     cutset simulate ball.el --plot h

COMPONENT bouncingBall
DATA
   REAL g = 9.80665 UNITS "m/s2"
   REAL k = 0.8 "how much of the velocity is left"
DECLS
   REAL h = 10 UNITS "m" "height"
   DISCR INTEGER bounces = 0
DISCRETE
   WHEN (h < 0) THEN
      h' = -k*h'
      bounces += 1
   END WHEN
CONTINUOUS
   h'' = -g
END COMPONENT

EXPERIMENT fall ON bouncingBall
BODY
   TSTOP = 5
   CINT = 0.05
   INTEG()
END EXPERIMENT
