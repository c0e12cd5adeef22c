// Command flux_build answers questions about Flux with its own libraries, one JSON document a line: how a template is
// substituted and an object written as YAML, which files of a source an artifact has, and what the kustomize-controller
// (1.9.6) builds of a Kustomization before it normalizes and applies the objects.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
	generator "github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// A question has either Fields, or Object, or Template, or Kustomization, or none of them: then it is about Ignore.
type question struct {
	// Fields asks for the fields of a kustomization file.
	Fields bool `json:"fields"`

	Object json.RawMessage `json:"object"`

	Template  *string           `json:"template"`
	Variables map[string]string `json:"variables"`
	Strict    bool              `json:"strict"`

	// Files are the files of a source, by path.
	Files  map[string]string `json:"files"`
	Ignore *string           `json:"ignore"`

	Kustomization map[string]any `json:"kustomization"`
	// ConfigMaps and Secrets are data of objects, by name.
	ConfigMaps map[string]map[string]string `json:"configMaps"`
	Secrets    map[string]map[string]string `json:"secrets"`
}

type answer struct {
	Error     string           `json:"error"`
	Text      string           `json:"text"`
	Files     []string         `json:"files"`
	Generated string           `json:"generated"`
	Objects   []map[string]any `json:"objects"`
}

func main() {
	reader := bufio.NewReader(os.Stdin)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var found answer
		if err := reply(asked, &found); err != nil {
			found.Error = err.Error()
		}
		text, err := json.Marshal(found)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}

func reply(asked question, found *answer) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	if asked.Fields {
		found.Objects = []map[string]any{kustomizationFields()}
		return nil
	}
	if asked.Object != nil {
		text, err := yaml.JSONToYAML(asked.Object)
		found.Text = string(text)
		return err
	}
	if asked.Template != nil {
		found.Text, err = envsubst.Eval(*asked.Template, func(name string) (string, bool) {
			value, exists := asked.Variables[name]
			return value, exists || !asked.Strict
		})
		return err
	}
	folder, err := os.MkdirTemp("", "source")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return err
	}
	for path, text := range asked.Files {
		whole := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(whole), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(whole, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if asked.Kustomization == nil {
		found.Files, err = packed(folder, asked.Ignore)
		return err
	}
	return build(folder, asked, found)
}

// packed returns the files of an artifact, as the source-controller chooses those of a Git repository.
func packed(folder string, ignore *string) ([]string, error) {
	domain := strings.Split(folder, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(folder, domain)
	if err != nil {
		return nil, err
	}
	if ignore != nil {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(*ignore), domain)...)
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, domain)
	found := []string{}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		if matcher.Match(strings.Split(path, string(filepath.Separator)), entry.IsDir()) {
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		inner, err := filepath.Rel(folder, path)
		found = append(found, inner)
		return err
	})
	sort.Strings(found)
	return found, err
}

func build(folder string, asked question, found *answer) error {
	object := unstructured.Unstructured{Object: asked.Kustomization}
	path, _, err := unstructured.NestedString(object.Object, "spec", "path")
	if err != nil {
		return err
	}
	inner := filepath.Join(folder, filepath.Join("/", path))
	made := generator.NewGenerator(folder, object)
	text, _, _, err := made.GenerateManifest(inner)
	if err != nil {
		return err
	}
	found.Generated = string(text)
	if _, err := made.WriteFile(inner); err != nil {
		return err
	}
	resources, err := generator.SecureBuild(folder, inner, false)
	if err != nil {
		return fmt.Errorf("kustomize build failed: %w", err)
	}
	_, hasPostBuild, _ := unstructured.NestedMap(object.Object, "spec", "postBuild")
	strategy, _, _ := unstructured.NestedString(object.Object, "spec", "postBuild", "substituteStrategy")
	for _, each := range resources.Resources() {
		if each.GetName() == "" || each.GetKind() == "" || each.GetApiVersion() == "" {
			return fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", each.String())
		}
		if !hasPostBuild {
			continue
		}
		changed, err := generator.SubstituteVariables(context.Background(), store{asked: asked}, object, each,
			generator.SubstituteWithStrict(asked.Strict), generator.SubstituteWithAlways(strategy == "Always"))
		if err != nil {
			return fmt.Errorf("post build failed for '%s/%s': %w", each.GetGvk(), each.GetName(), err)
		}
		if changed != nil {
			if _, err := resources.Replace(each); err != nil {
				return err
			}
		}
	}
	whole, err := resources.AsYaml()
	if err != nil {
		return fmt.Errorf("kustomize build failed: %w", err)
	}
	objects, err := utils.ReadObjects(bytes.NewReader(whole))
	if err != nil {
		return err
	}
	if _, exists, _ := unstructured.NestedMap(object.Object, "spec", "commonMetadata"); exists {
		labels, _, _ := unstructured.NestedStringMap(object.Object, "spec", "commonMetadata", "labels")
		annotations, _, _ := unstructured.NestedStringMap(object.Object, "spec", "commonMetadata", "annotations")
		utils.SetCommonMetadata(objects, labels, annotations)
	}
	for _, each := range objects {
		found.Objects = append(found.Objects, each.Object)
	}
	return nil
}

// store is a cluster with nothing but the ConfigMaps and Secrets of a question.
type store struct {
	client.Client
	asked question
}

func (s store) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	switch wanted := object.(type) {
	case *corev1.ConfigMap:
		if data, exists := s.asked.ConfigMaps[key.Name]; exists {
			wanted.Data = data
			return nil
		}
	case *corev1.Secret:
		if data, exists := s.asked.Secrets[key.Name]; exists {
			wanted.Data = map[string][]byte{}
			for name, text := range data {
				wanted.Data[name] = []byte(text)
			}
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}
