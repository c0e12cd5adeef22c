package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

const marker = "+default="

// readDefaults returns the constant defaults that comments of fields declare, as JSON by "package.Type.field".
// Arguments are modules as PATH=DIRECTORY. The name of a constant, ref(…), is replaced by its value.
func readDefaults(modules []string) (map[string]string, error) {
	found, constants := map[string]string{}, map[string]string{}
	for _, module := range modules {
		path, dir, _ := strings.Cut(module, "=")
		err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasPrefix(entry.Name(), "types") || filepath.Ext(file) != ".go" {
				return err
			}
			below, err := filepath.Rel(dir, filepath.Dir(file))
			if err != nil {
				return err
			}
			return readFile(file, path+"/"+filepath.ToSlash(below), found, constants)
		})
		if err != nil {
			return nil, err
		}
	}
	for field, value := range found {
		if name, isRef := strings.CutPrefix(value, "ref("); isRef {
			found[field] = constants[strings.TrimSuffix(name, ")")]
		}
	}
	return found, nil
}

// readFile adds the defaults and the constants of one file; both may be named from anywhere in their package.
func readFile(file, pkg string, found, constants map[string]string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ParseComments)
	if err != nil {
		return err
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch spec := node.(type) {
		case *ast.ValueSpec:
			if value, isText := literal(spec); isText {
				constants[pkg+"."+spec.Names[0].Name] = value
			}
		case *ast.TypeSpec:
			if structure, isStruct := spec.Type.(*ast.StructType); isStruct {
				addFields(structure, pkg, spec.Name.Name, found)
			}
		}
		return true
	})
	return nil
}

func literal(spec *ast.ValueSpec) (string, bool) {
	if len(spec.Values) != 1 {
		return "", false
	}
	if value, isLiteral := spec.Values[0].(*ast.BasicLit); isLiteral {
		return value.Value, true
	}
	return "", false
}

func addFields(structure *ast.StructType, pkg, typeName string, found map[string]string) {
	for _, field := range structure.Fields.List {
		if value, name := defaultOf(field), jsonName(field); value != "" && name != "" {
			found[pkg+"."+typeName+"."+name] = strings.Replace(value, "ref(", "ref("+pkg+".", 1)
		}
	}
}

func defaultOf(field *ast.Field) string {
	if field.Doc == nil {
		return ""
	}
	for _, comment := range field.Doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if value, has := strings.CutPrefix(text, marker); has {
			return value
		}
	}
	return ""
}

func jsonName(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}
