// Command update answers what Metacontroller makes of observed children: a line of JSON in, a line of JSON out.
//
// It is built inside a copy of Metacontroller's own module, whose packages it calls.
package main

import (
	"bufio"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"

	"metacontroller/pkg/controller/common"
)

// question is an observed child, and what a hook wants of it.
type question struct {
	Observed map[string]interface{} `json:"observed"`
	Wanted   map[string]interface{} `json:"wanted"`
}

// answer is the child that would be written, or why there is none.
type answer struct {
	Updated map[string]interface{} `json:"updated,omitempty"`
	Error   string                 `json:"error,omitempty"`
}

func answered(line []byte) (answer, error) {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{}, err
	}
	observed, wanted := unstructured.Unstructured{Object: asked.Observed}, unstructured.Unstructured{Object: asked.Wanted}
	updated, err := common.ApplyUpdate(&observed, &wanted)
	if err != nil {
		return answer{Error: err.Error()}, nil
	}
	return answer{Updated: updated.Object}, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		found, err := answered(lines.Bytes())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		text, err := json.Marshal(found)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}
