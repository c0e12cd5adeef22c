// Program testserver is a kube-apiserver with its own etcd inside, for the tests of this project.
//
//	testserver --etcd-dir=DIR --etcd-port=PORT [--stop-on-eof] [flags of kube-apiserver]
//
// With --stop-on-eof it ends when its standard input does, so that it never outlives whoever started it.
package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	dir, port, stopOnEOF, rest := split(os.Args[1:])
	if stopOnEOF {
		go exitAfterInput()
	}
	etcd, err := startEtcd(dir, port)
	if err != nil {
		fmt.Fprintln(os.Stderr, "etcd:", err)
		os.Exit(1)
	}
	defer etcd.Close()
	command := app.NewAPIServerCommand()
	command.SetArgs(append(rest, "--etcd-servers=http://127.0.0.1:"+port))
	os.Exit(cli.Run(command))
}

// exitAfterInput waits for the end of standard input: the other end of the pipe was closed, or its process is gone.
func exitAfterInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// split takes the flags that are ours out of the arguments.
func split(args []string) (dir, port string, stopOnEOF bool, rest []string) {
	for _, arg := range args {
		switch name, value, _ := strings.Cut(arg, "="); name {
		case "--etcd-dir":
			dir = value
		case "--etcd-port":
			port = value
		case "--stop-on-eof":
			stopOnEOF = true
		default:
			rest = append(rest, arg)
		}
	}
	return dir, port, stopOnEOF, rest
}

// startEtcd runs etcd in this process; what it holds need not survive a crash.
func startEtcd(dir, port string) (*embed.Etcd, error) {
	config := embed.NewConfig()
	config.Dir = dir
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	client, _ := url.Parse("http://127.0.0.1:" + port)
	peer, _ := url.Parse("http://127.0.0.1:0")
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{*peer}, []url.URL{*peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case <-time.After(30 * time.Second):
		etcd.Close()
		return nil, fmt.Errorf("not ready after 30 seconds")
	}
}
