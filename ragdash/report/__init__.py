"""A comparison that leaves the screen: tables and documents that name the settings in force."""
