// Program gotypes prints what the Go types of the Kubernetes API say of their fields and OpenAPI v2 does not, as JSON:
// name of the type, then name of the field, then its facts.
//
//	gotypes k8s.io/api=DIRECTORY …
//	{"io.k8s.api.apps.v1.DeploymentSpec": {"replicas": "int32 pointer omitempty", "selector": "struct pointer"}}
//
// The first word is the kind of Go type, of what a pointer points to; after it come pointer, omitempty, omitzero,
// strategy=… and key=… (of strategic merge patches) where they hold, and last default=… with a value in JSON, which
// the comments in the sources of the modules declare.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type facts struct {
	types    map[string]map[string]string
	defaults map[string]string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(modules []string) error {
	defaults, err := readDefaults(modules)
	if err != nil {
		return err
	}
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(all); err != nil {
			return err
		}
	}
	found := facts{map[string]map[string]string{}, defaults}
	for _, kind := range all.AllKnownTypes() {
		found.add(kind)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	return out.Encode(found.types)
}

// add takes in a struct and every struct that it leads to.
func (f facts) add(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isMarshaler(t) {
		return
	}
	name := "io.k8s." + strings.ReplaceAll(strings.TrimPrefix(t.PkgPath(), "k8s.io/"), "/", ".") + "." + t.Name()
	if _, known := f.types[name]; known {
		return
	}
	fields := map[string]string{}
	f.types[name] = fields
	f.collect(t, fields)
}

// collect describes the fields of a struct; those of an inlined struct count as its own.
func (f facts) collect(t reflect.Type, fields map[string]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous:
			inlined := field.Type
			if inlined.Kind() == reflect.Pointer {
				inlined = inlined.Elem()
			}
			f.collect(inlined, fields)
		case name != "":
			fields[name] = describe(field, options)
			if value, has := f.defaults[t.PkgPath()+"."+t.Name()+"."+name]; has {
				fields[name] += " default=" + value
			}
			f.add(field.Type)
		}
	}
}

func describe(field reflect.StructField, options string) string {
	t := field.Type
	words := []string{}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		words = append(words, "pointer")
	}
	for _, option := range strings.Split(options, ",") {
		if option == "omitempty" || option == "omitzero" {
			words = append(words, option)
		}
	}
	if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
		words = append(words, "strategy="+strategy)
	}
	if key := field.Tag.Get("patchMergeKey"); key != "" {
		words = append(words, "key="+key)
	}
	return strings.Join(append([]string{kindOf(t)}, words...), " ")
}

// isMarshaler tells whether a type has a JSON form of its own, so that its fields are nobody's business.
func isMarshaler(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]())
}

// kindOf names the kind of a Go type, or the type itself where it has a JSON form of its own (Quantity, Time).
func kindOf(t reflect.Type) string {
	if isMarshaler(t) {
		return t.Name()
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return "bytes"
	}
	return t.Kind().String()
}
