"""Models that the groups generate. Ladder, heat and grid are put together from components of libraries/, as a user would."""
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parent.parent
ELECTRICAL = 'library "%s"\n' % (ROOT / 'libraries/electrical.dym')
THERMAL = 'library "%s"\n' % (ROOT / 'libraries/thermal.dym')


def example(name, changes=()):
    """An example with some of its lines replaced, each of which must be there once."""
    text = (ROOT / 'examples' / (name + '.dym')).read_text()
    for old, new in changes:
        assert text.count(old) == 1, 'examples/%s.dym has changed: "%s"' % (name, old)
        text = text.replace(old, new)
    return text.replace('library "../', 'library "%s/' % ROOT)


def ladder(n):
    """n resistors in line, 1/i ohm each, a capacitor of 1/i**2 farad to earth behind each; a sine of 10 Hz feeds it."""
    return ELECTRICAL + """model type Cell
  cut p n
  main path (p - n)
  parameter R C
  submodel (Resistor) r(R=R)
  submodel (Capacitor) c(C=C)
  submodel Ground
  p to r to n
  n to c to Ground
end
model ladder
  structure parameter n=%d
  submodel (VoltageSource) source
  submodel Ground
  submodel (Cell) cell[n](R=1/index, C=1/index**2)
  Ground to source..(n - p) to cell[1]
  for i:=1 to n-1 do cell[i] to cell[i+1]
  source.V = sin(62.83185307179586*time)
end
""" % n


MODELICA_ELECTRICAL = """package Big
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v(unit = "V"), i(unit = "A");
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Capacitor
    extends OnePort(v(start = 0, fixed = true));
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Source
    extends OnePort;
    parameter Real f = 10;
  equation
    v = sin(2*3.141592653589793*f*time);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
"""
MODELICA_THERMAL = """package Big
  connector Port
    Real T(unit = "K");
    flow Real Q(unit = "W");
  end Port;
  model Conductor
    Port a, b;
    parameter Real G = 1;
  equation
    a.Q = G*(a.T - b.T);
    a.Q + b.Q = 0;
  end Conductor;
  model Capacity
    Port port(T(start = T0, fixed = true));
    parameter Real C = 1, T0 = 0;
  equation
    C*der(port.T) = port.Q;
  end Capacity;
"""


def ladder_modelica(n):
    """The same in Modelica."""
    return MODELICA_ELECTRICAL + """  model Cell
    Pin p, n;
    parameter Real R, C;
    Resistor r(R = R);
    Capacitor c(C = C);
    Ground ground;
  equation
    connect(p, r.p);
    connect(r.n, n);
    connect(n, c.p);
    connect(c.n, ground.p);
  end Cell;
  model Ladder
    parameter Integer n = %d;
    Source source;
    Ground ground;
    Cell cell[n](R = {1/i for i in 1:n}, C = {1/i^2 for i in 1:n});
  equation
    connect(ground.p, source.n);
    connect(source.p, cell[1].p);
    for i in 1:n - 1 loop
      connect(cell[i].n, cell[i + 1].p);
    end for;
    annotation(experiment(StopTime = 1));
  end Ladder;
end Big;
""" % n


def heat(n):
    """A rod of n cells, insulated at its far end, from a smooth profile on; the temperature of the near end swings. Conductance and
    capacity of the whole rod are 1. (A rod at rest would fill with denormal numbers, which processors are slow at.)"""
    return THERMAL + """model heat
  structure parameter n=%d
  submodel (HeatConductor) g[n](G=n)
  submodel (HeatCapacity) c[n](C=1/n, T0=1+sin(3*index/n))
  submodel (Temperature) wall
  wall to g[1]
  for i:=1 to n-1 do g[i]:b at g[i+1]:a
  for i:=1 to n do g[i]:b at c[i]
  wall.Tset = 1 + sin(10*time)
end
""" % n


def grid(n):
    """n by n nodes of a plate, each with its capacity, joined to its neighbours by conductors."""
    return THERMAL + """model grid
  structure parameter n=%d
  submodel (HeatConductor) right[n*(n-1)] down[n*(n-1)]
  submodel (HeatCapacity) c[n*n](T0=index/n**2)
  for i:=1 to n do for j:=1 to n-1 do c[(i-1)*n+j] to right[(i-1)*(n-1)+j] to c[(i-1)*n+j+1]
  for i:=1 to n-1 do for j:=1 to n do c[(i-1)*n+j] to down[(i-1)*n+j] to c[i*n+j]
end
""" % n


def grid_modelica(n):
    """The same in Modelica."""
    return MODELICA_THERMAL + """  model Plate
    parameter Integer n = %d;
    Conductor right[n, n - 1], down[n - 1, n];
    Capacity c[n, n](T0 = {((i - 1)*n + j)/n^2 for j in 1:n, i in 1:n});
  equation
    for i in 1:n, j in 1:n - 1 loop
      connect(c[i, j].port, right[i, j].a);
      connect(right[i, j].b, c[i, j + 1].port);
    end for;
    for i in 1:n - 1, j in 1:n loop
      connect(c[i, j].port, down[i, j].a);
      connect(down[i, j].b, c[i + 1, j].port);
    end for;
    annotation(experiment(StopTime = 1));
  end Plate;
end Big;
""" % n


def network(n, seed=1):
    """An irregular circuit, one line of text for each component: n nodes in a random tree, and half as many further branches between
    random nodes: resistors, conductors, diodes, each of its own value; a capacitor at one node in five, so that voltages between
    follow from systems of equations."""
    r = random.Random(seed)
    parts, joins = [], []
    parts.append('  submodel (VoltageSource) source\n  submodel Ground\n  submodel (Resistor) feed(R=0.5)\n')
    joins.append('  Ground to source..(n - p) to feed to node1\n')
    parts.append('  node ' + '\n  node '.join('node%d' % i for i in range(1, n + 1)) + '\n')

    def value():
        return '%.3g' % (10 ** r.uniform(-1, 1))

    def branch(name, a, b):
        kind = r.randrange(10)
        if kind < 6:
            parts.append('  submodel (Resistor) %s(R=%s)\n' % (name, value()))
        else:
            parts.append('  submodel (Conductor) %s(G=%s)\n' % (name, value()))
        joins.append('  node%d to %s to node%d\n' % (a, name, b))

    for i in range(2, n + 1):
        branch('t%d' % i, max(1, i - r.randint(1, 40)), i)
    for k in range(1, n // 2 + 1):
        a = r.randint(1, n)
        b = min(n, max(1, a + r.choice((-1, 1)) * r.randint(1, 30)))
        if a != b:
            branch('b%d' % k, a, b)
    for i in range(1, n + 1):
        if r.random() < 0.2 or i == n:
            parts.append('  submodel (Capacitor) c%d(C=%s)\n' % (i, value()))
            joins.append('  node%d to c%d to Ground\n' % (i, i))
    return ELECTRICAL + 'model network\n' + ''.join(parts) + ''.join(joins) + '  source.V = sin(time)\nend\n'


def inverter(periods_apart=6e-4):
    """The transistor inverter with its pulse repeated."""
    return example('inverter', [
        ('  parameter Ton=20E-6 Toff=320E-6 [s] "the pulse"\n', ''),
        ('  local U Y [V] "input and output"\n', '  discrete U=0\n  local Y [V]\n'),
        ('  U = if time >= Ton and time < Toff then 6 else 0\n',
         '  when sample(20E-6, %g) then\n    new(U) = 6\n  end\n  when sample(320E-6, %g) then\n    new(U) = 0\n  end\n'
         % (periods_apart, periods_apart))])


def arm():
    """The Stanford arm with joints that swing for ever."""
    return example('stanford_arm', [
        ('  tau = kp*(asked - q) - kd*qd\n', '  tau = kp*(asked*sin(2*time) - q) - kd*qd\n'),
        ('  F = kp*(asked - q) - kd*qd\n', '  F = kp*(asked*sin(2*time) - q) - kd*qd\n')])


def boiler():
    """The power station under a load that swings between 276 and 240 MW."""
    return example('boiler', [
        ('  parameter N1=276E3, N2=240E3, t1=60, t2=460\n', ''),
        ('  powerstation.Nset = if time < t1 then N1 else if time < t2 then N1 + (N2 - N1)*(time - t1)/(t2 - t1) else N2\n',
         '  powerstation.Nset = 258E3 + 18E3*cos(time/100)\n')])


def ring():
    """The ring modulator with Cs = 2e-12 (Horneber's circuit; 15 states, stiff)."""
    y = ' '.join('y%d' % i for i in range(1, 16))
    starts = ''.join('  y%d(0) = 0\n' % i for i in range(1, 16))
    return """model ring
  parameter c=1.6e-8 cs=2e-12 cp=1e-8 r=25e3 rp=50 lh=4.45 ls1=2e-3 ls2=5e-4 ls3=5e-4 rg1=36.3 rg2=17.3 rg3=17.3 ri=50 rc=600
  parameter gamma=40.67286402e-9 delta=17.7493332
  constant pi=3.141592653589793
  local %s uin1 uin2 ud1 ud2 ud3 ud4 qud1 qud2 qud3 qud4
  uin1 = 0.5*sin(2e3*pi*time)
  uin2 = 2*sin(2e4*pi*time)
  ud1 = y3 - y5 - y7 - uin2
  ud2 = -y4 + y6 - y7 - uin2
  ud3 = y4 + y5 + y7 + uin2
  ud4 = -y3 - y6 + y7 + uin2
  qud1 = gamma*(exp(delta*ud1) - 1)
  qud2 = gamma*(exp(delta*ud2) - 1)
  qud3 = gamma*(exp(delta*ud3) - 1)
  qud4 = gamma*(exp(delta*ud4) - 1)
  c*der(y1) = y8 - 0.5*y10 + 0.5*y11 + y14 - y1/r
  c*der(y2) = y9 - 0.5*y12 + 0.5*y13 + y15 - y2/r
  cs*der(y3) = y10 - qud1 + qud4
  cs*der(y4) = -y11 + qud2 - qud3
  cs*der(y5) = y12 + qud1 - qud3
  cs*der(y6) = -y13 - qud2 + qud4
  cp*der(y7) = -y7/rp + qud1 + qud2 - qud3 - qud4
  lh*der(y8) = -y1
  lh*der(y9) = -y2
  ls2*der(y10) = 0.5*y1 - y3 - rg2*y10
  ls3*der(y11) = -0.5*y1 + y4 - rg3*y11
  ls2*der(y12) = 0.5*y2 - y5 - rg2*y12
  ls3*der(y13) = -0.5*y2 + y6 - rg3*y13
  ls1*der(y14) = -y1 + uin1 - (ri + rg1)*y14
  ls1*der(y15) = -y2 - (rc + rg1)*y15
%send
""" % (y, starts)


def hybrid(rooms=10):
    """Rooms in a row, each with a heater that a thermostat with hysteresis turns on and off: events at roots, and a
    discrete variable for each."""
    return """model type Room
  cut left(Tl / Ql) right(Tr / Qr)
  main path (left - right)
  parameter low high C=1 power=12 loss=0.6 T0=20
  terminal outside
  local T
  discrete on=1
  Tl = T
  Tr = T
  C*der(T) = Ql + Qr + power*on - loss*(T - outside)
  T(0) = T0
  when T > high then
    new(on) = 0
  end
  when T < low then
    new(on) = 1
  end
end
model type Wall
  cut a(Ta / Q) b(Tb / -Q)
  main path (a - b)
  parameter G=0.1
  Q = G*(Ta - Tb)
end
model hybrid
  structure parameter n=%d
  local outside
  submodel (Room) room[n](low=20-0.01*index, high=20.5+0.02*index, C=0.1+0.01*index, T0=20+0.02*index)
  submodel (Wall) wall[n-1]
  outside = 10 + 3*sin(time)
  for i:=1 to n do room[i].outside = outside
  for i:=1 to n-1 do room[i] to wall[i] to room[i+1]
end
""" % rooms


def listing(lines):
    """A model of about so many lines of text in which every equation is written out: loops of ten states in a row."""
    out, blocks = ['model listing\n'], lines // 20
    for b in range(blocks):
        before = 'x%d_10' % (b - 1) if b else '1'
        names = ['x%d_%d' % (b, i) for i in range(1, 11)]
        out.append('  local ' + ' '.join(names) + '\n')
        for i, x in enumerate(names):
            feed = names[i - 1] if i else before
            out.append('  der(%s) = %g*(%s - %s)\n' % (x, 1 + (b * 7 + i) % 13, feed, x))
        out += ['  %s(0) = 0\n' % x for x in names[:9]]
    return ''.join(out) + 'end\n'
