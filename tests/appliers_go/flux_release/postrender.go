package main

import (
	"bytes"
	"encoding/json"

	v2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/apis/kustomize"
	helmpostrender "helm.sh/helm/v4/pkg/postrenderer"
	"sigs.k8s.io/kustomize/api/builtins"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// step changes rendered manifests.
type step func(*bytes.Buffer) (*bytes.Buffer, error)

type steps []step

// Run implements the interface of Helm.
func (all steps) Run(manifests *bytes.Buffer) (*bytes.Buffer, error) {
	var err error
	for _, each := range all {
		if manifests, err = each(manifests); err != nil {
			return nil, err
		}
	}
	return manifests, nil
}

// postRenderers returns the post-renderers of a release in the order of the controller: those of the object, the
// common metadata, the labels with the origin.
func postRenderers(object *v2.HelmRelease) helmpostrender.PostRenderer {
	var found steps
	for _, each := range object.Spec.PostRenderers {
		if each.Kustomize != nil {
			found = append(found, kustomized(each.Kustomize.Patches, each.Kustomize.Images))
		}
	}
	if common := object.Spec.CommonMetadata; common != nil {
		found = append(found, marked(common.Labels, common.Annotations))
	}
	group := v2.GroupVersion.Group
	return append(found, marked(map[string]string{group + "/name": object.Name, group + "/namespace": object.Namespace}, nil))
}

func kustomized(patches []kustomize.Patch, images []kustomize.Image) step {
	return func(manifests *bytes.Buffer) (*bytes.Buffer, error) {
		made := kustypes.Kustomization{Resources: []string{"all.yaml"}}
		for _, each := range images {
			made.Images = append(made.Images, kustypes.Image{Name: each.Name, NewName: each.NewName, NewTag: each.NewTag, Digest: each.Digest})
		}
		for _, each := range patches {
			patch := kustypes.Patch{Patch: each.Patch}
			if target := each.Target; target != nil {
				patch.Target = &kustypes.Selector{LabelSelector: target.LabelSelector, AnnotationSelector: target.AnnotationSelector}
				patch.Target.Group, patch.Target.Version, patch.Target.Kind = target.Group, target.Version, target.Kind
				patch.Target.Name, patch.Target.Namespace = target.Name, target.Namespace
			}
			made.Patches = append(made.Patches, patch)
		}
		text, err := json.Marshal(made)
		if err != nil {
			return nil, err
		}
		folder := filesys.MakeFsInMemory()
		if err := folder.WriteFile("kustomization.yaml", text); err != nil {
			return nil, err
		}
		if err := folder.WriteFile("all.yaml", manifests.Bytes()); err != nil {
			return nil, err
		}
		built, err := krusty.MakeKustomizer(&krusty.Options{
			LoadRestrictions: kustypes.LoadRestrictionsNone, PluginConfig: kustypes.DisabledPluginConfig(),
		}).Run(folder, ".")
		if err != nil {
			return nil, err
		}
		return written(built)
	}
}

func marked(labels, annotations map[string]string) step {
	return func(manifests *bytes.Buffer) (*bytes.Buffer, error) {
		factory := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory())
		all, err := factory.NewResMapFromBytes(manifests.Bytes())
		if err != nil {
			return nil, err
		}
		if labels != nil {
			fields := []kustypes.FieldSpec{{Path: "metadata/labels", CreateIfNotPresent: true}}
			if err := (&builtins.LabelTransformerPlugin{Labels: labels, FieldSpecs: fields}).Transform(all); err != nil {
				return nil, err
			}
		}
		if annotations != nil {
			fields := []kustypes.FieldSpec{{Path: "metadata/annotations", CreateIfNotPresent: true}}
			if err := (&builtins.AnnotationsTransformerPlugin{Annotations: annotations, FieldSpecs: fields}).Transform(all); err != nil {
				return nil, err
			}
		}
		return written(all)
	}
}

func written(all resmap.ResMap) (*bytes.Buffer, error) {
	text, err := all.AsYaml()
	if err != nil {
		return nil, err
	}
	return bytes.NewBuffer(text), nil
}
