// Command helm_controller does what helm-controller v1.6 does with a release: install, upgrade, drift or uninstall, with
// the functions of its package internal/action. It reads one JSON document from standard input and writes one to
// standard output. Its module is named below that of the controller, so that it may import internal packages.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	helmaction "helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/client-go/tools/clientcmd"

	v2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/helm-controller/internal/action"
	intkube "github.com/fluxcd/helm-controller/internal/kube"
	"github.com/fluxcd/pkg/ssa/jsondiff"
)

const controller = "helm-controller"

type input struct {
	Kubeconfig string          `json:"kubeconfig"`
	Action     string          `json:"action"`
	Release    *v2.HelmRelease `json:"release"`
	Chart      string          `json:"chart"`
	Values     common.Values   `json:"values"`
}

type output struct {
	Error string `json:"error"`
	// Rendered tells whether the chart could be rendered; without, nothing was done.
	Rendered bool `json:"rendered"`
	// Manifest is the rendered chart without hooks, after post-renderers.
	Manifest string `json:"manifest"`
	// Drift has the objects that differ, with the operations of their patches.
	Drift []drift `json:"drift"`
}

type drift struct {
	Kind       string   `json:"kind"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Operations []string `json:"operations"`
}

type session struct {
	input
	factory *action.ConfigFactory
}

func main() {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fail(err)
	}
	kube.ManagedFieldsManager = controller
	slog.SetDefault(slog.New(slog.DiscardHandler))
	factory, err := newFactory(in)
	if err != nil {
		fail(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := session{in, factory}.run(ctx)
	if err != nil {
		out.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func newFactory(in input) (*action.ConfigFactory, error) {
	config, err := clientcmd.BuildConfigFromFlags("", in.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	getter := intkube.NewMemoryRESTClientGetter(config, intkube.WithNamespace(in.Release.GetReleaseNamespace()))
	return action.NewConfigFactory(getter,
		action.WithStorage(action.DefaultStorageDriver, in.Release.GetStorageNamespace()),
		action.WithStorageLog(slog.DiscardHandler))
}

func (s session) config() *helmaction.Configuration {
	return s.factory.Build(slog.DiscardHandler)
}

func (s session) run(ctx context.Context) (output, error) {
	switch s.Action {
	case "drift":
		return s.drift(ctx)
	case "uninstall":
		_, err := action.Uninstall(ctx, s.config(), s.Release, s.Release.GetReleaseName())
		return output{Rendered: true}, err
	}
	rendered, err := s.render(ctx)
	if err != nil {
		return output{}, err
	}
	return output{Rendered: true, Manifest: rendered}, s.release(ctx)
}

// render returns the manifest of the release, which a dry run of an install renders without asking the server.
func (s session) render(ctx context.Context) (string, error) {
	loaded, err := loader.Load(s.Chart)
	if err != nil {
		return "", err
	}
	dry := func(install *helmaction.Install) { install.DryRunStrategy = helmaction.DryRunClient }
	// Without the definitions, which a dry run would apply.
	release, err := action.Install(ctx, s.config(), s.withoutDefinitions(), loaded, s.Values, dry)
	if err != nil {
		return "", err
	}
	return release.Manifest, nil
}

func (s session) withoutDefinitions() *v2.HelmRelease {
	release := s.Release.DeepCopy()
	if release.Spec.Install == nil {
		release.Spec.Install = &v2.Install{}
	}
	release.Spec.Install.CRDs = v2.Skip
	return release
}

func (s session) release(ctx context.Context) error {
	var loaded *chart.Chart
	loaded, err := loader.Load(s.Chart)
	if err != nil {
		return err
	}
	if s.Action == "install" {
		_, err = action.Install(ctx, s.config(), s.Release, loaded, s.Values)
	} else {
		_, err = action.Upgrade(ctx, s.config(), s.Release, loaded, s.Values)
	}
	return err
}

// drift compares the last release with the cluster and corrects it, as the reconciler does in the mode "enabled".
func (s session) drift(ctx context.Context) (output, error) {
	last, err := action.LastRelease(s.config(), s.Release.GetReleaseName())
	if err != nil {
		return output{}, err
	}
	detection := s.Release.GetDriftDetection()
	set, differErr := action.Diff(ctx, s.config(), last, controller, nil, detection.Ignore...)
	out := output{Rendered: true, Manifest: last.Manifest, Drift: described(set)}
	if differErr != nil {
		differErr = fmt.Errorf("unable to determine cluster state: %w", differErr)
	}
	if !set.HasChanges() || detection.GetMode() != v2.DriftDetectionEnabled {
		return out, differErr
	}
	_, err = action.ApplyDiff(ctx, s.config(), set, controller)
	return out, errors.Join(differErr, err)
}

func described(set jsondiff.DiffSet) []drift {
	found := []drift{}
	for _, each := range set {
		if each.Type != jsondiff.DiffTypeCreate && each.Type != jsondiff.DiffTypeUpdate {
			continue
		}
		object := each.DesiredObject
		entry := drift{object.GetObjectKind().GroupVersionKind().Kind, object.GetName(), string(each.Type), []string{}}
		for _, operation := range each.Patch {
			entry.Operations = append(entry.Operations, strings.TrimSpace(operation.Type+" "+operation.Path))
		}
		found = append(found, entry)
	}
	return found
}
