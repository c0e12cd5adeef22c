"""Reports for other programs, one module per format: JSON, SARIF, JUnit and the formats of CI systems and editors."""
