// A servo with a direct-current motor, in Modelica: connectors, inheritance, a controller that is exchanged by
// `redeclare`, an array of equal parts in the shaft, a function, and an experiment annotation.
//
//     cutset simulate drive.mo                        the last model with an experiment: WithPI
//     cutset simulate drive.mo Servo                  with the proportional controller
//     cutset simulate drive.mo WithPI --set "load.J=0.2" --plot load.w
package Drive "A servo drive"
  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");
  type Torque = Real(unit = "N.m");

  connector Pin "Electrical"
    Voltage v;
    flow Current i;
  end Pin;

  connector Flange "Rotating shaft"
    Real phi(unit = "rad");
    flow Torque tau;
  end Flange;

  connector Input = input Real;
  connector Output = output Real;

  function limited "The value, at most `most` in size"
    input Real x;
    input Real most;
    output Real y;
  algorithm
    y := if x > most then most elseif x < -most then -most else x;
  end limited;

  partial model TwoPin "What has two pins"
    Pin p, n;
    Voltage v;
    Current i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*i;
  end Resistor;

  model Inductor
    extends TwoPin(i(start = 0, fixed = true));
    parameter Real L(unit = "H") = 0.01;
  equation
    L*der(i) = v;
  end Inductor;

  model Machine "Converts current to torque"
    extends TwoPin;
    Flange flange;
    parameter Real k(unit = "N.m/A") = 0.5;
  equation
    v = k*der(flange.phi);
    flange.tau = -k*i;
  end Machine;

  model Source "A voltage from a signal"
    extends TwoPin;
    Input u;
  equation
    v = u;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Inertia
    Flange a, b;
    parameter Real J(unit = "kg.m2") = 0.1;
    Real phi(unit = "rad", start = 0, fixed = true);
    Real w(unit = "rad/s", start = 0, fixed = true);
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Spring "Elastic, with damping"
    Flange a, b;
    parameter Real c(unit = "N.m/rad") = 500, d(unit = "N.m.s/rad") = 1;
    Torque tau;
  equation
    tau = c*(b.phi - a.phi) + d*der(b.phi - a.phi);
    a.tau = -tau;
    b.tau = tau;
  end Spring;

  partial block Controller
    Input wanted, measured;
    Output y;
    parameter Real most = 60;
  protected
    Real e = wanted - measured;
  end Controller;

  block P
    extends Controller;
    parameter Real k = 5;
  equation
    y = limited(k*e, most);
  end P;

  block PI
    extends Controller;
    parameter Real k = 5, T = 0.5;
    Real x(start = 0, fixed = true);
  equation
    T*der(x) = e;
    y = limited(k*(e + x), most);
  end PI;

  model Servo "Controlled speed of a load at the end of an elastic shaft"
    replaceable P controller constrainedby Controller;
    parameter Integer n = 3 "Pieces of the shaft";
    Source source;
    Resistor armature(R = 0.4);
    Inductor winding(L = 0.005);
    Machine motor;
    Ground ground;
    Inertia rotor(J = 0.02), load(J = 0.1);
    Inertia piece[n](each J = 0.001);
    Spring shaft[n + 1];
  equation
    controller.wanted = if time < 0.1 then 0 else 40;
    controller.measured = load.w;
    source.u = controller.y;
    connect(source.p, armature.p);
    connect(armature.n, winding.p);
    connect(winding.n, motor.p);
    connect(motor.n, source.n);
    connect(ground.p, source.n);
    connect(motor.flange, rotor.a);
    connect(rotor.b, shaft[1].a);
    for i in 1:n loop
      connect(shaft[i].b, piece[i].a);
      connect(piece[i].b, shaft[i + 1].a);
    end for;
    connect(shaft[n + 1].b, load.a);
    annotation(experiment(StopTime = 2, Tolerance = 1e-7, Interval = 0.002));
  end Servo;

  model WithPI "The same with an integrating controller"
    extends Servo(redeclare PI controller(T = 0.2));
    annotation(experiment(StopTime = 2, Tolerance = 1e-7, Interval = 0.002));
  end WithPI;
end Drive;
