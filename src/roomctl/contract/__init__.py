"""What the service is: its operations, its resources, its OpenAPI document. Knows nothing else of ours."""
