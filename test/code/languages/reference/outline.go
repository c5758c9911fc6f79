// Prints what go/ast says the files named on standard input declare, one JSON array a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

type symbol struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	StartLine int      `json:"startLine"`
	EndLine   int      `json:"endLine"`
	Container string   `json:"container,omitempty"`
	Children  []symbol `json:"children"`
}

var set *token.FileSet

func at(name, kind string, from, to token.Pos, children []symbol) symbol {
	if children == nil {
		children = []symbol{}
	}
	last := set.PositionFor(to-1, false).Line
	return symbol{Name: name, Kind: kind, StartLine: set.PositionFor(from, false).Line, EndLine: last, Children: children}
}

func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

func embedded(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.StarExpr:
		return embedded(t.X)
	case *ast.IndexExpr:
		return embedded(t.X)
	case *ast.IndexListExpr:
		return embedded(t.X)
	}
	return receiver(e)
}

func fields(list *ast.FieldList) []symbol {
	out := []symbol{}
	for _, f := range list.List {
		var inner []symbol
		if s, ok := f.Type.(*ast.StructType); ok {
			inner = fields(s.Fields)
		}
		end := f.Type.End()
		if f.Tag != nil {
			end = f.Tag.End()
		}
		if len(f.Names) == 0 {
			out = append(out, at(embedded(f.Type), "field", f.Type.Pos(), end, inner))
		}
		for _, n := range f.Names {
			if n.Name != "_" {
				out = append(out, at(n.Name, "field", f.Names[0].Pos(), end, inner))
			}
		}
	}
	return out
}

// The name of an embedded type, or the text of what a type may be.
func element(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return embedded(e)
	}
	from, to := set.Position(e.Pos()), set.Position(e.End())
	text, _ := os.ReadFile(from.Filename)
	return strings.Join(strings.Fields(string(text[from.Offset:to.Offset])), " ")
}

func methods(list *ast.FieldList) []symbol {
	out := []symbol{}
	for _, f := range list.List {
		if _, ok := f.Type.(*ast.FuncType); !ok {
			out = append(out, at(element(f.Type), "field", f.Type.Pos(), f.Type.End(), nil))
			continue
		}
		for _, n := range f.Names {
			out = append(out, at(n.Name, "method", n.Pos(), f.Type.End(), nil))
		}
	}
	return out
}

func general(d *ast.GenDecl) []symbol {
	out := []symbol{}
	for _, spec := range d.Specs {
		from, to := spec.Pos(), spec.End()
		if !d.Lparen.IsValid() {
			from = d.Pos()
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.Name == "_" {
				continue
			}
			switch t := s.Type.(type) {
			case *ast.StructType:
				out = append(out, at(s.Name.Name, "struct", from, to, fields(t.Fields)))
			case *ast.InterfaceType:
				out = append(out, at(s.Name.Name, "interface", from, to, methods(t.Methods)))
			default:
				out = append(out, at(s.Name.Name, "type", from, to, nil))
			}
		case *ast.ValueSpec:
			kind := "var"
			if d.Tok == token.CONST {
				kind = "const"
			}
			for _, n := range s.Names {
				begin := from
				if len(s.Names) > 1 {
					begin = n.Pos()
				}
				if n.Name != "_" {
					out = append(out, at(n.Name, kind, begin, to, nil))
				}
			}
		}
	}
	return out
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		set = token.NewFileSet()
		file, err := parser.ParseFile(set, lines.Text(), nil, parser.SkipObjectResolution)
		if err != nil {
			fmt.Println("null")
			continue
		}
		out := []symbol{}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.GenDecl:
				if d.Tok != token.IMPORT {
					out = append(out, general(d)...)
				}
			case *ast.FuncDecl:
				if d.Name.Name == "_" {
					continue
				}
				one := at(d.Name.Name, "function", d.Pos(), d.End(), nil)
				if d.Recv != nil && len(d.Recv.List) > 0 {
					one.Kind = "method"
					one.Container = receiver(d.Recv.List[0].Type)
				}
				out = append(out, one)
			}
		}
		text, _ := json.Marshal(out)
		fmt.Println(string(text))
	}
}
