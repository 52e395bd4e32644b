module weir

go 1.19
