// Command flux_release answers questions about HelmReleases of Flux, one JSON document a line: the values that the
// helm-controller (1.6) merges, and what its Helm library renders with them, without a cluster.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"sort"

	v2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/go-logr/logr"
	helmaction "helm.sh/helm/v4/pkg/action"
	helmcommon "helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	helmchart "helm.sh/helm/v4/pkg/chart/v2"
	helmloader "helm.sh/helm/v4/pkg/chart/v2/loader"
	helmrelease "helm.sh/helm/v4/pkg/release/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

type question struct {
	Release v2.HelmRelease `json:"release"`
	// ConfigMaps and Secrets are data of objects, by name.
	ConfigMaps map[string]map[string]string `json:"configMaps"`
	Secrets    map[string]map[string]string `json:"secrets"`
	// Chart has the files of a chart, by path. Without it, only the values are asked for.
	Chart       map[string]string `json:"chart"`
	KubeVersion string            `json:"kubeVersion"`
	APIVersions []string          `json:"apiVersions"`
}

type answer struct {
	// Stage is what failed: "values", "files" or "render".
	Stage            string           `json:"stage"`
	Error            string           `json:"error"`
	Name             string           `json:"name"`
	Namespace        string           `json:"namespace"`
	StorageNamespace string           `json:"storageNamespace"`
	Values           map[string]any   `json:"values"`
	Objects          []map[string]any `json:"objects"`
	Definitions      []map[string]any `json:"definitions"`
	Hooks            []string         `json:"hooks"`
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
		text, err := json.Marshal(reply(asked))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}

func reply(asked question) answer {
	object := &asked.Release
	found := answer{
		Name:             shortName(object.GetReleaseName()),
		Namespace:        object.GetReleaseNamespace(),
		StorageNamespace: object.GetStorageNamespace(),
	}
	values, err := chartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), store{asked: asked},
		object.Namespace, object.GetValues(), object.Spec.ValuesFrom...)
	if err != nil {
		found.Stage, found.Error = "values", err.Error()
		return found
	}
	found.Values = values
	if asked.Chart == nil {
		return found
	}
	chart, err := load(asked)
	if err != nil {
		found.Stage, found.Error = "files", err.Error()
		return found
	}
	if err := render(asked, chart, values, &found); err != nil {
		found.Stage, found.Error = "render", err.Error()
	}
	return found
}

// shortName returns the name that the controller gives a release: it is not longer than 53 bytes.
func shortName(name string) string {
	if len(name) <= 53 {
		return name
	}
	return name[:40] + "-" + fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:12]
}

// load returns the chart with the values files of the release merged into its values, as the source-controller does.
func load(asked question) (*helmchart.Chart, error) {
	var files []*archive.BufferedFile
	for name, text := range asked.Chart {
		files = append(files, &archive.BufferedFile{Name: name, Data: []byte(text)})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	chart, err := helmloader.LoadFiles(files)
	if err != nil || asked.Release.Spec.Chart == nil || len(asked.Release.Spec.Chart.Spec.ValuesFiles) == 0 {
		return chart, err
	}
	spec := asked.Release.Spec.Chart.Spec
	merged := map[string]any{}
	for _, name := range spec.ValuesFiles {
		text, exists := asked.Chart[path.Clean(name)]
		if !exists && spec.IgnoreMissingValuesFiles {
			continue
		}
		values := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &values); err != nil || !exists {
			return nil, errors.Join(err, fmt.Errorf("values file '%s'", name))
		}
		merged = chartutil.MergeMaps(merged, values)
	}
	text, err := yaml.Marshal(merged)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if file.Name == "values.yaml" {
			file.Data = text
		}
	}
	return helmloader.LoadFiles(files)
}

func render(asked question, chart *helmchart.Chart, values helmcommon.Values, found *answer) error {
	object := &asked.Release
	version, err := helmcommon.ParseKubeVersion(asked.KubeVersion)
	if err != nil {
		return err
	}
	install := helmaction.NewInstall(new(helmaction.Configuration))
	install.DryRunStrategy = helmaction.DryRunClient
	install.KubeVersion = version
	install.APIVersions = asked.APIVersions
	install.ReleaseName = found.Name
	install.Namespace = found.Namespace
	install.SkipCRDs = true
	install.Devel = true
	install.Replace = true
	install.SkipSchemaValidation = object.GetInstall().DisableSchemaValidation
	install.PostRenderer = postRenderers(object)
	install.PostRenderStrategy = helmaction.PostRenderStrategyCombined
	if strategy := object.GetPostRenderStrategy(); strategy != "" {
		install.PostRenderStrategy = helmaction.PostRenderStrategy(strategy)
	}
	made, err := install.RunWithContext(context.Background(), chart, values.AsMap())
	if err != nil {
		return err
	}
	release := made.(*helmrelease.Release)
	for _, hook := range release.Hooks {
		found.Hooks = append(found.Hooks, hook.Kind+"/"+hook.Name)
	}
	if found.Objects, err = objects([]byte(release.Manifest)); err != nil {
		return err
	}
	if object.GetInstall().CRDs == v2.Skip {
		return nil
	}
	for _, definition := range chart.CRDObjects() {
		every, err := objects(definition.File.Data)
		if err != nil {
			return err
		}
		for _, each := range every {
			if each["kind"] == "CustomResourceDefinition" {
				found.Definitions = append(found.Definitions, each)
			}
		}
	}
	return nil
}

func objects(text []byte) ([]map[string]any, error) {
	var found []map[string]any
	reader := kubeyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if err != nil {
			return found, nil
		}
		object := map[string]any{}
		if err := yaml.Unmarshal(document, &object); err != nil {
			return nil, err
		}
		if len(object) > 0 {
			found = append(found, object)
		}
	}
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
