"""What is a credential, and how credentials are masked before anything is printed or stored."""
