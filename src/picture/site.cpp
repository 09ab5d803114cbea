#include "picture/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "picture/draw_picture.h"
#include "picture/formula.h"

namespace cutset::picture {

namespace {

constexpr const char* style_sheet =
    R"(:root { color-scheme: light dark; --ink: #22262b; --soft: #667080; --paper: #ffffff; --line: #dde2e8; --link: #1d5fa8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e2e6ea; --soft: #9aa4b0; --paper: #16191d; --line: #333a43; --link: #7db4f0; }
  .picture svg { filter: invert(0.92) hue-rotate(180deg); }
}
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.5rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
nav { color: var(--soft); font-size: 0.9rem; }
h1 { margin: 0.5rem 0 0.25rem; font-size: 1.7rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; border-bottom: 1px solid var(--line); }
p.purpose { margin: 0 0 1rem; color: var(--soft); }
pre { overflow-x: auto; font-size: 0.85rem; line-height: 1.45; white-space: pre-wrap; }
table { border-collapse: collapse; font-size: 0.92rem; }
th, td { padding: 0.2rem 1rem 0.2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
code { font-size: 0.92em; }
.picture { margin: 1rem 0; overflow-x: auto; }
.picture svg { max-width: 100%; height: auto; }
ol.equations { list-style: none; padding: 0; }
ol.equations li { margin: 0.45rem 0; overflow-x: auto; }
math { font-size: 1.1rem; }
.when { color: var(--soft); font-size: 0.85rem; }
)";

std::string link(const std::string& to, const std::string& text) {
    return "<a href=\"" + html_escaped(to) + "\">" + html_escaped(text) + "</a>";
}

// Pages stand one folder deep.
std::string from_page(const std::string& path) {
    return "../" + path;
}

// A name as a file name: other characters as their code.
std::string as_file_name(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '_' || c == '-' || (c == '.' && !out.empty());
        out += plain ? std::string(1, c) : fmt::format("_{:02x}", static_cast<unsigned char>(c));
    }
    return out.empty() ? "_" : out;
}

std::string page_frame(const std::string& title, const std::string& to_root, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           html_escaped(title) + "</title>\n<link rel=\"stylesheet\" href=\"" + to_root +
           "style.css\">\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

std::string cell(const std::string& html) {
    return "<td>" + html + "</td>";
}
std::string cell_text(const std::string& text) {
    return cell(html_escaped(text));
}
std::string head(const std::vector<std::string>& names) {
    std::string out = "<thead><tr>";
    for (const std::string& n : names) out += "<th>" + html_escaped(n) + "</th>";
    return out + "</tr></thead>\n";
}
std::string section(const std::string& title, const std::vector<std::string>& columns,
                    const std::string& rows) {
    if (rows.empty()) return "";
    return "<h2>" + html_escaped(title) + "</h2>\n<table>" + head(columns) + "<tbody>\n" + rows +
           "</tbody></table>\n";
}

std::string word_of(const PortVariable& v) {
    constexpr const char* words[] = {"across", "through", "input", "output", "terminal"};
    return std::string(words[static_cast<int>(v.role)]) +
           (v.role == VariableRole::Through ? v.negative ? ", out" : ", in" : "");
}

void port_rows(const Port& port, const std::string& name, std::string& rows, int depth = 0) {
    if (depth > 20) return;
    if (port.variables.empty() && port.parts.empty())
        rows += "<tr>" + cell_text(name) + cell_text(port.open ? "takes what is joined to it" : "") +
                cell("") + cell("") + cell("") + "</tr>\n";
    for (const PortVariable& v : port.variables)
        rows += "<tr>" + cell_text(name) + cell_text(v.name.empty() ? "." : v.name) + cell_text(word_of(v)) +
                cell_text(v.unit) + cell_text(v.description) + "</tr>\n";
    for (std::size_t i = 0; i < port.parts.size(); ++i) {
        const Port& part = port.parts[i];
        port_rows(part, name + "." + (part.name.empty() ? std::to_string(i + 1) : part.name), rows,
                  depth + 1);
    }
}

std::string variable_rows(const ClassPicture& p, std::initializer_list<TextKind> kinds) {
    std::string rows;
    for (const TextPart& t : p.texts) {
        if (std::find(kinds.begin(), kinds.end(), t.kind) == kinds.end()) continue;
        rows += "<tr>" + cell("<code>" + html_escaped(t.name + t.dimensions) + "</code>") +
                cell("<code>" + html_escaped(t.value) + "</code>") + cell_text(t.unit) +
                cell_text(t.description) + "</tr>\n";
    }
    return rows;
}

std::string equations(ClassPictures& pictures, const ClassPicture& p) {
    const std::map<std::uint32_t, std::string> formulas = pictures.formulas(p.key);
    std::string out;
    for (const TextPart& t : p.texts) {
        const bool shown = t.kind == TextKind::Equation || t.kind == TextKind::Initial ||
                           t.kind == TextKind::Event || t.kind == TextKind::Validity;
        if (!shown) continue;
        const auto formula = formulas.find(t.where.begin);
        out += "<li>";
        if (formula != formulas.end())
            out += "<math display=\"inline\">" + formula->second + "</math>";
        else
            out += "<pre>" + html_escaped(t.text) + "</pre>";
        if (t.kind == TextKind::Initial) out += " <span class=\"when\">initially</span>";
        if (!t.condition.empty()) out += " <span class=\"when\">" + html_escaped(t.condition) + "</span>";
        out += "</li>\n";
    }
    return out.empty() ? "" : "<h2>Equations</h2>\n<ol class=\"equations\">\n" + out + "</ol>\n";
}

}  // namespace

// Files of one name in several directories get folders of their own.
std::string Site::folder_of(const std::string& file) {
    std::error_code ec;
    const std::string whole = std::filesystem::weakly_canonical(file, ec).string();
    if (const auto known = folders_.find(whole); known != folders_.end()) return known->second;
    const std::string stem = as_file_name(std::filesystem::path(file).stem().string());
    std::string folder = stem;
    const auto taken = [&] {
        return std::any_of(folders_.begin(), folders_.end(),
                           [&](const auto& f) { return f.second == folder; });
    };
    for (int k = 2; taken(); ++k) folder = stem + "-" + std::to_string(k);
    folders_[whole] = folder;
    return folder;
}

std::string Site::path_of(ClassPictures& pictures, const std::string& key) {
    const ClassPicture* p = pictures.picture(key);
    if (!p || !p->where.known()) return "";
    return folder_of(pictures.sources().name(p->where.source)) + "/" + as_file_name(key) + ".html";
}

void Site::add(ClassPictures& pictures) {
    std::vector<std::string> open;
    for (const ClassPictures::Entry& e : pictures.list())
        if (e.main_file) open.push_back(e.key);
    std::set<std::string> seen(open.begin(), open.end());
    for (std::size_t i = 0; i < open.size(); ++i) {
        const ClassPicture& p = *pictures.picture(open[i]);
        const std::string path = path_of(pictures, p.key);
        if (path.empty()) continue;
        for (const Block& b : p.blocks) {
            if (b.key.empty()) continue;
            users_[path_of(pictures, b.key)].insert(path);
            if (seen.insert(b.key).second) open.push_back(b.key);
        }
        if (!known_.insert(path).second) continue;
        Page page;
        page.path = path;
        page.folder = path.substr(0, path.find('/'));
        page.name = p.name;
        page.title = p.title;
        page.source = pictures.sources().name(p.where.source);
        page.runnable = p.runnable;
        std::string svg = to_svg(draw_picture(pictures, p, {1, 0, false}));
        if (const std::size_t begin = svg.find("<svg"); begin != std::string::npos) svg.erase(0, begin);
        page.picture = std::move(svg);
        page.body = body_of(pictures, p);
        pages_.push_back(std::move(page));
    }
}

std::string Site::body_of(ClassPictures& pictures, const ClassPicture& p) {
    std::string out;
    std::string ports, submodels;
    for (const Port& port : p.ports)
        port_rows(port, port.name.empty() ? "(main)" : port.name + port.dimensions, ports);
    for (const Block& b : p.blocks) {
        if (b.kind != BlockKind::Submodel) continue;
        std::string arguments;
        for (const BlockArgument& a : b.arguments)
            arguments += (arguments.empty() ? "" : ", ") + (a.name.empty() ? "" : a.name + " = ") + a.value;
        const std::string to = b.key.empty() ? "" : path_of(pictures, b.key);
        submodels += "<tr>" + cell("<code>" + html_escaped(b.name + b.dimensions) + "</code>") +
                     cell(to.empty() ? html_escaped(b.type) + " (missing)" : link(from_page(to), b.type)) +
                     cell("<code>" + html_escaped(arguments) + "</code>") +
                     cell_text(b.condition.empty() ? b.description : b.condition) + "</tr>\n";
    }
    if (p.documentation.size() > p.title.size())
        out += "<h2>Purpose</h2>\n<pre>" + html_escaped(p.documentation) + "</pre>\n";
    out += section("Interface", {"port", "variable", "role", "unit", ""}, ports);
    out += section("Parameters", {"name", "value", "unit", ""},
                   variable_rows(p, {TextKind::Parameter, TextKind::Constant}));
    out += section("Submodels", {"name", "model", "arguments", ""}, submodels);
    out += section("Variables", {"name", "value", "unit", ""},
                   variable_rows(p, {TextKind::Local, TextKind::State, TextKind::Derivative}));
    out += equations(pictures, p);
    std::string connects;
    for (const TextPart& t : p.texts)
        if (t.kind == TextKind::Connect) connects += html_escaped(t.text) + "\n";
    if (!connects.empty()) out += "<h2>Connections</h2>\n<pre>" + connects + "</pre>\n";
    for (const FunctionPicture& f : p.functions)
        out += "<h2>Function " + html_escaped(f.name) + "</h2>\n<pre>" + html_escaped(f.documentation) +
               "</pre>\n<pre>" + html_escaped(f.text) + "</pre>\n";
    return out;
}

std::vector<SitePage> Site::finish() const {
    std::vector<SitePage> out{{"style.css", style_sheet}};
    std::map<std::string, const Page*> by_path;
    for (const Page& p : pages_) by_path[p.path] = &p;
    for (const Page& p : pages_) {
        std::string body = "<nav>" + link("../index.html", title_) + " › " +
                           link("../index.html#" + p.folder, p.folder) + "</nav>\n<main>\n<h1>" +
                           html_escaped(p.name) + "</h1>\n";
        if (!p.title.empty()) body += "<p class=\"purpose\">" + html_escaped(p.title) + "</p>\n";
        body += "<div class=\"picture\" role=\"img\" aria-label=\"block diagram of " + html_escaped(p.name) +
                "\">" + p.picture + "</div>\n" + p.body;
        std::string users;
        if (const auto found = users_.find(p.path); found != users_.end())
            for (const std::string& user : found->second)
                if (const auto page = by_path.find(user); page != by_path.end())
                    users += "<li>" + link(from_page(user), page->second->name) + " <span class=\"when\">" +
                             html_escaped(page->second->title) + "</span></li>\n";
        if (!users.empty()) body += "<h2>Used in</h2>\n<ul>\n" + users + "</ul>\n";
        out.push_back({p.path, page_frame(p.name, "../", body + "</main>\n")});
    }
    std::string body = "<main>\n<h1>" + html_escaped(title_) + "</h1>\n";
    std::map<std::string, std::vector<const Page*>> folders;
    for (const Page& p : pages_) folders[p.folder].push_back(&p);
    for (const auto& [folder, pages] : folders) {
        std::string rows;
        for (const Page* p : pages)
            rows += "<tr>" +
                    cell((p->runnable ? "<strong>" : "") + link(p->path, p->name) +
                         (p->runnable ? "</strong>" : "")) +
                    cell_text(p->title) + "</tr>\n";
        body += "<h2 id=\"" + html_escaped(folder) + "\">" + html_escaped(folder) + "</h2>\n<table>" +
                head({"model", "purpose"}) + "<tbody>\n" + rows + "</tbody></table>\n";
    }
    out.push_back({"index.html", page_frame(title_, "", body + "</main>\n")});
    return out;
}

}  // namespace cutset::picture
