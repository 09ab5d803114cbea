within A;
model Circuit "text"
  import M = Modelica.Math;
  extends Base(redeclare model T = U(x = 1), break y);
  parameter Real p[:, 2](each start = 1) = [1, 2; 3, 4] if c annotation(Dialog(enable = true));
  type E = enumeration(a, b "x");
initial equation
  x = 1;
equation
  der(x) = -x + sum(y[i] for i in 1:3) .* .A.f(1, k = function g(a = 2));
  when {c, initial()} then reinit(x, pre(x)); elsewhen d then z = if a then 1 else 2; end when;
  for i in 1:2 loop connect(a[i], b.c); end for;
algorithm
  (a, , b) := f(x); while true loop break; end while;
  annotation(experiment(StopTime = 1));
end Circuit;
