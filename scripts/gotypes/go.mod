module gotypes

go 1.26.0

require (
	k8s.io/apiextensions-apiserver v0.36.3
	k8s.io/apimachinery v0.36.3
	k8s.io/client-go v0.36.3
	k8s.io/kube-aggregator v0.36.3
)
