"""Group `chains`: index reduction and state selection of generated chains of planar pendulums in Cartesian coordinates, each with its
constraint of length and its unknown tension (index 3). Two shapes:

  hanging  each bob hangs from the one before it: all constraints are coupled, one system for the tensions
  springs  each bob swings about its own point, springs join neighbours: the constraints are independent

Measured is `cutset check`: processor time and memory for 125 to 2 000 pendulums, and the exponent of growth of time."""
import growth

PARTS = """model type Bob
  cut a(xa, ya / fxa, fya) b(x, y / fxb, fyb)
  main path (a - b)
  parameter m=1 L=1 g=9.81 x0 y0
  local vx vy T
  der(x) = vx
  der(y) = vy
  fxa = T*(xa - x)
  fya = T*(ya - y)
  m*der(vx) = fxa + fxb
  m*der(vy) = fya + fyb - m*g
  (x - xa)**2 + (y - ya)**2 = L**2
  x(0) = x0
  y(0) = y0
  vx(0) = 0
  vy(0) = 0
end
model type Fixed
  main cut (x, y / fx, fy)
  parameter x0=0 y0=0
  x = x0
  y = y0
end
model type Spring
  cut a(xa, ya / fx, fy) b(xb, yb / -fx, -fy)
  main path (a - b)
  parameter c=1 dx
  fx = c*(xa - xb + dx)
  fy = c*(ya - yb)
end
"""


def hanging(n):
    """A chain that starts at rest along a straight line, 45 degrees downward."""
    return PARTS + """model chain
  structure parameter n=%d
  submodel Fixed
  submodel (Bob) bob[n](x0=0.7071067811865476*index, y0=-0.7071067811865476*index)
  Fixed to bob[1]
  for i:=1 to n-1 do bob[i] to bob[i+1]
end
""" % n


def springs(n):
    return PARTS + """model chain
  structure parameter n=%d
  submodel (Fixed) point[n](x0=3*index)
  submodel (Bob) bob[n](x0=3*index + (if index = 1 then 0.8 else 0.6), y0=if index = 1 then -0.6 else -0.8)
  submodel (Spring) spring[n-1](dx=3)
  for i:=1 to n do point[i] to bob[i]
  for i:=1 to n-1 do bob[i]:b to spring[i] to bob[i+1]:b
end
""" % n


def run(program, report, quick=False):
    for shape, make in (('hanging', hanging), ('springs', springs)):
        sizes, seconds = (125, 250, 500, 1000, 2000), []
        for n in sizes:
            best = min((growth.measure(program, make(n)) for _ in range(3 if n <= 500 else 1)), key=lambda m: m[0])
            seconds.append(best[0])
            report('chains', '%s, %d pendulums, time' % (shape, n), best[0], 's', 10 if n == 2000 else None)
            if n == 2000:
                report('chains', '%s, %d pendulums, memory' % (shape, n), best[1] / 2**20, 'MiB', None)
        report('chains', shape + ', exponent of time', growth.exponent(sizes[1:], seconds[1:]), '', 1.3)
