// Components of EL become classes of the object tree without inheritance, construction parameters, EXPAND,
// IF … INSERT, ports and connections: each component is written once for each choice of its construction
// parameters. Connections have become equations, class by class, since a port of the component itself is
// counted from inside.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "languages/el/body.h"
#include "languages/el/library.h"
#include "languages/el/model.h"

namespace cutset::el {

class Elaborator {
  public:
    Elaborator(const Library& library, Diagnostics& diagnostics);

    const Library& library;
    Diagnostics& diagnostics;
    const Constants globals;

    // The component with these parameters as a submodel, or none (reported).
    std::shared_ptr<const Model> submodel(const Component& c, const Constants& parameters, Span where);
    std::shared_ptr<const PortType> port(const PortUse& use, const Constants& around);
    // Values for the construction parameters.
    std::optional<Constants> parameters(const Component& c, const Arguments& given, const Constants& around,
                                        Span where);
    // Writes the function, or the part of it that computes one OUT argument, and gives the name of its class.
    std::string function(const Function& f, const std::string& out);
    void enumeration(const std::string& name);
    // A component, partition or experiment as a model of its own.
    std::shared_ptr<object::Class> top(const Component& c, std::string name, Surroundings around);

    std::vector<std::shared_ptr<object::Class>> classes;  // made for others

  private:
    void parents(const Component& c);

    std::map<std::string, std::shared_ptr<const Model>> models_;
    std::map<std::string, std::shared_ptr<const PortType>> ports_;
    std::set<std::string> written_;  // functions and enumerations
    std::vector<const Component*> open_;
};

}  // namespace cutset::el
