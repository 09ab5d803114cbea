// Classes that Omola and EL were lowered to, as one package of Modelica: names that Modelica can write,
// classes inside classes beside them, and `extends` where a class was made from another one.
#pragma once

#include <map>
#include <string>

#include "ir/object_tree.h"

namespace cutset::modelica {

struct PackageRequest {
    std::string name;  // of the package; another one is chosen where a class has this name
    std::string main;  // the path of the class that is to stand last: what is run when nothing else is named
    std::map<std::string, Span> annotations;  // of classes, by path
};

struct Package {
    object::File file;                         // with one class, the package
    std::map<std::string, std::string> names;  // path of a class → its name in the package
};

// A package of the same classes that other languages can use as components: their ports are connectors, what
// flows counts into the component. They stand beside a package `inside` with the classes as they are; all
// keep the language that they were written in.
object::File parts_package(const object::File& lowered, const std::string& name);

Package modelica_package(const object::File& lowered, const PackageRequest& request);

// C has the name of a class in the package, from the name of a file: Motor from "some/motor.el".
std::string package_name(const std::string& path);

}  // namespace cutset::modelica
