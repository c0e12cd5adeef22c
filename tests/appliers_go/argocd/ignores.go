package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube/scheme"
	jsonpatch "github.com/evanphx/json-patch"
	"github.com/gobwas/glob"
	"github.com/itchyny/gojq"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const respectIgnores = "RespectIgnoreDifferences=true"

// An ignoreRule is an entry of spec.ignoreDifferences of an Application.
type ignoreRule struct {
	Group                 string   `json:"group"`
	Kind                  string   `json:"kind"`
	Name                  string   `json:"name"`
	Namespace             string   `json:"namespace"`
	JSONPointers          []string `json:"jsonPointers"`
	JQPathExpressions     []string `json:"jqPathExpressions"`
	ManagedFieldsManagers []string `json:"managedFieldsManagers"`
}

// unasked is what Argo CD ignores unless its settings say otherwise.
var unasked = ignoreRule{Group: "*", Kind: "*", JSONPointers: []string{"/status"}}

// A removal takes ignored fields out of the JSON of an object; where it fails, the object stays as it is.
type removal struct {
	rule  ignoreRule
	apply func([]byte) ([]byte, error)
}

// ignores removes what is ignored, as the ignoreNormalizer of util/argo/normalizers does. Together with the rest of
// this file it mirrors the controller of Argo CD 3.5 (normalizeTargetResources, util/argo/diff, util/argo/managedfields)
// over the libraries that it uses: the module of the controller itself takes six minutes to build.
type ignores struct {
	rules    []ignoreRule
	removals []removal
}

func newIgnores(rules []ignoreRule) (*ignores, error) {
	found := &ignores{rules: rules}
	for _, rule := range append(slices.Clone(rules), unasked) {
		for _, pointer := range rule.JSONPointers {
			text, err := json.Marshal([]map[string]string{{"op": "remove", "path": pointer}})
			if err != nil {
				return nil, err
			}
			patch, err := jsonpatch.DecodePatch(text)
			if err != nil {
				return nil, err
			}
			found.removals = append(found.removals, removal{rule, patch.Apply})
		}
		for _, expression := range rule.JQPathExpressions {
			apply, err := deletion(expression)
			if err != nil {
				return nil, err
			}
			found.removals = append(found.removals, removal{rule, apply})
		}
	}
	return found, nil
}

func deletion(expression string) (func([]byte) ([]byte, error), error) {
	query, err := gojq.Parse(fmt.Sprintf("del(%s)", expression))
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, err
	}
	return func(text []byte) ([]byte, error) {
		content := map[string]any{}
		if err := json.Unmarshal(text, &content); err != nil {
			return nil, err
		}
		results := code.Run(content)
		only, ok := results.Next()
		if _, isMore := results.Next(); !ok || isMore {
			return nil, fmt.Errorf("del(%s) has not one result", expression)
		}
		if err, ok := only.(error); ok {
			return nil, err
		}
		return json.Marshal(only)
	}, nil
}

func (r ignoreRule) matches(object *unstructured.Unstructured) bool {
	kind := object.GroupVersionKind()
	return isLike(r.Group, kind.Group) && isLike(r.Kind, kind.Kind) &&
		(r.Name == "" || r.Name == object.GetName()) &&
		(r.Namespace == "" || r.Namespace == object.GetNamespace())
}

func isLike(pattern, text string) bool {
	compiled, err := glob.Compile(pattern)
	return err == nil && compiled.Match(text)
}

// Normalize is asked by the library before it compares.
func (i *ignores) Normalize(object *unstructured.Unstructured) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	for _, one := range i.removals {
		if !one.rule.matches(object) {
			continue
		}
		if left, err := one.apply(text); err == nil {
			text = left
		}
	}
	return json.Unmarshal(text, object)
}

func (i *ignores) managersOf(target *unstructured.Unstructured) []string {
	var found []string
	for _, rule := range i.rules {
		if rule.matches(target) {
			found = append(found, rule.ManagedFieldsManagers...)
		}
	}
	return found
}

// withoutManaged returns copies of both objects without the fields that trusted managers own and the target changes.
func (c *cluster) withoutManaged(live, target *unstructured.Unstructured) (*unstructured.Unstructured, *unstructured.Unstructured, error) {
	live, target = live.DeepCopy(), target.DeepCopy()
	managers := c.ignores.managersOf(target)
	if len(managers) == 0 {
		return live, target, nil
	}
	kind := scheme.ResolveParseableType(target.GroupVersionKind(), c.parser)
	if kind == nil {
		kind = &typed.DeducedParseableType
	}
	typedLive, err := kind.FromUnstructured(live.Object)
	if err != nil {
		return live, target, nil
	}
	typedTarget, err := kind.FromUnstructured(target.Object)
	if err != nil {
		return live, target, nil
	}
	changes, err := typedLive.Compare(typedTarget)
	if err != nil {
		return live, target, nil
	}
	isManaged := false
	for _, entry := range live.GetManagedFields() {
		if !slices.Contains(managers, entry.Manager) {
			continue
		}
		owned := &fieldpath.Set{}
		if err := owned.FromJSON(bytes.NewReader(entry.FieldsV1.GetRawBytes())); err != nil {
			return nil, nil, fmt.Errorf("error normalizing manager %s: %w", entry.Manager, err)
		}
		isManaged = true
		if changed := owned.Intersection(changes.Modified); !changed.Empty() {
			typedLive, typedTarget = typedLive.RemoveItems(changed), typedTarget.RemoveItems(changed)
		}
	}
	if !isManaged {
		return live, target, nil
	}
	return untyped(typedLive), untyped(typedTarget), nil
}

func untyped(value *typed.TypedValue) *unstructured.Unstructured {
	content, _ := value.AsValue().Unstructured().(map[string]any)
	return &unstructured.Unstructured{Object: content}
}

// respected returns the target as it is synced: what is ignored is taken over from the live object.
func (c *cluster) respected(live, target *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if live == nil || target == nil {
		return target, nil
	}
	bareLive, bareTarget, err := c.withoutManaged(live, target)
	if err != nil {
		return nil, err
	}
	for _, one := range []*unstructured.Unstructured{bareLive, bareTarget} {
		if err := c.ignores.Normalize(one); err != nil {
			return nil, err
		}
	}
	from, to := bareLive.DeepCopy(), live.DeepCopy()
	unstructured.RemoveNestedField(from.Object, "status")
	unstructured.RemoveNestedField(to.Object, "status")
	patched, err := merged(bareTarget, from, to)
	if err != nil {
		return nil, err
	}
	restore(patched.Object, target.Object, bareTarget.Object, bareLive.Object)
	return patched, nil
}

// merged returns the target with the patch that leads from one object to another.
func merged(target, from, to *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	var texts [3][]byte
	for i, one := range []*unstructured.Unstructured{target, from, to} {
		text, err := one.MarshalJSON()
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	text, err := mergedText(target, texts[0], texts[1], texts[2])
	if err != nil {
		return nil, err
	}
	found := &unstructured.Unstructured{}
	_, _, err = unstructured.UnstructuredJSONScheme.Decode(text, nil, found)
	return found, err
}

func mergedText(target *unstructured.Unstructured, text, from, to []byte) ([]byte, error) {
	kind, err := clientscheme.Scheme.New(target.GroupVersionKind())
	if err != nil {
		patch, err := jsonpatch.CreateMergePatch(from, to)
		if err != nil {
			return nil, err
		}
		return jsonpatch.MergePatch(text, patch)
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(kind)
	if err != nil {
		return nil, err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(to, to, from, meta, true)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatch(text, patch, kind)
}

// restore gives back what is not ignored, where the patch has replaced a whole field for what is ignored inside it.
func restore(patched, target, bareTarget, bareLive map[string]any) {
	for key, wanted := range target {
		inner, isMap := patched[key].(map[string]any)
		wantedMap, isWantedMap := wanted.(map[string]any)
		bare, isThere := bareTarget[key]
		bareMap, isBareMap := bare.(map[string]any)
		if isMap && isWantedMap && isBareMap {
			liveMap, _ := bareLive[key].(map[string]any)
			restore(inner, wantedMap, bareMap, liveMap)
			continue
		}
		if isThere && reflect.DeepEqual(bare, wanted) {
			patched[key] = wanted
		}
	}
	for key := range patched {
		_, isWanted := target[key]
		if _, isLive := bareLive[key]; isLive && !isWanted {
			delete(patched, key)
		}
	}
}
