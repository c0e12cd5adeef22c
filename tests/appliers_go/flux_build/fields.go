package main

import (
	"reflect"
	"strings"

	kustypes "sigs.k8s.io/kustomize/api/types"
)

// kustomizationFields returns the fields of a kustomization file; a field without fields of its own is null.
func kustomizationFields() map[string]any {
	found, _ := fieldsOf(reflect.TypeFor[kustypes.Kustomization]()).(map[string]any)
	return found
}

func fieldsOf(kind reflect.Type) any {
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	if kind.Kind() != reflect.Struct {
		return nil
	}
	found := map[string]any{}
	for _, field := range reflect.VisibleFields(kind) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || name == "-" || field.Anonymous || strings.Contains(options, "inline") {
			continue
		}
		if name == "" {
			name = field.Name
		}
		found[name] = fieldsOf(field.Type)
	}
	return found
}
